//! The table of rules. Where two speak of the same bytes, the earlier one is
//! heard.
//!
//! Lengths have a lower bound and no upper one: a bound would leave the tail
//! of a longer token in clear, and token formats grow. No pattern says what
//! may follow. The table itself scans clean, because behind every literal in
//! it stands something that is no part of a token.

use crate::secret::rule::{Rule, short, token};

/// Every rule.
#[rustfmt::skip]
pub(crate) const RULES: &[Rule] = &[
    // Keys as such. The header alone is enough; the body is taken along.
    Rule { window: usize::MAX, n_distinct: 0, n_digits: 0, ..token("private-key", &["-----BEGIN "],
        r#"-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----(?:[A-Za-z0-9+/=\s\\"',:.]|-[A-Za-z0-9])*(?:-----END [A-Z0-9 ]{0,60}-----)?"#) },
    Rule { n_distinct: 0, n_digits: 0, ..token("ssh2-private-key", &["---- BEGIN SSH2 "], r"---- BEGIN SSH2 [A-Z ]{0,20}PRIVATE KEY ----") },
    Rule { n_distinct: 0, n_digits: 0, ..token("putty-private-key", &["PuTTY-User-Key-File-"], r"PuTTY-User-Key-File-[0-9]: [a-z0-9-]+") },
    token("encoded-private-key", &["LS0tLS1CRUdJTi"],
        r"LS0tLS1CRUdJTiB(?:QUklWQVRF|SU0EgUFJJVkFUR|FQyBQUklWQVRF|PUEVOU1NIIFBSSVZBVEUg|FTkNSWVBURUQgUFJJVkFUR|EU0EgUFJJVkFUR|QR1AgUFJJVkFUR)[A-Za-z0-9+/=_-]{20,}"),
    token("age-key", &["AGE-SECRET-KEY-1"], r"AGE-SECRET-KEY-1[A-Z0-9]{40,}"),
    token("note-signing-key", &["PRIVATE+KEY+"], r"PRIVATE\+KEY\+[^\s+]{1,256}\+[0-9a-f]{8}\+[A-Za-z0-9+/=]{40,}"),

    // Those who serve language models, and the tools around them.
    token("openrouter", &["sk-or-"], r"sk-or-[A-Za-z0-9_-]{24,}"),
    token("anthropic", &["sk-ant-"], r"sk-ant-[A-Za-z0-9_-]{24,}"),
    token("openai", &["sk-proj-", "sk-svcacct-", "sk-admin-", "sk-service-account-"],
        r"sk-(?:proj|svcacct|admin|service-account)-[A-Za-z0-9_-]{24,}"),
    Rule { n_distinct: 0, ..token("langfuse", &["sk-lf-"], r"sk-lf-[0-9a-f-]{30,}") },
    short("secret-key", &["sk-"], r"sk-[A-Za-z0-9]{28,}"),
    short("google", &["AIza"], r"AIza[A-Za-z0-9_-]{30,}"),
    short("google-auth", &["AQ.Ab", "ya29.", "1//0"], r"(?:AQ\.Ab|ya29\.|1//0)[A-Za-z0-9_-]{20,}"),
    token("google-client", &["GOCSPX-"], r"GOCSPX-[A-Za-z0-9_-]{20,}"),
    short("xai", &["xai-"], r"xai-[A-Za-z0-9]{50,}"),
    short("groq", &["gsk_"], r"gsk_[A-Za-z0-9]{30,}"),
    Rule { n_digits: 0, n_distinct: 12, is_mixed: true, ..short("hugging-face", &["hf_", "api_org_"], r"(?:hf|api_org)_[A-Za-z0-9]{30,}") },
    short("replicate", &["r8_"], r"r8_[A-Za-z0-9]{30,}"),
    token("together", &["tgp_v1_"], r"tgp_v1_[A-Za-z0-9_-]{30,}"),
    short("fireworks", &["fw_"], r"fw_[A-Za-z0-9]{20,}"),
    token("perplexity", &["pplx-"], r"pplx-[A-Za-z0-9]{30,}"),
    token("nvidia", &["nvapi-"], r"nvapi-[A-Za-z0-9_-]{40,}"),
    short("cerebras", &["csk-"], r"csk-[a-z0-9]{40,}"),
    token("langsmith", &["lsv2_"], r"lsv2_[a-z]{2}_[0-9a-f_]{30,}"),
    short("elevenlabs", &["sk_"], r"sk_[0-9a-f]{40,}"),
    Rule { lead: 40, ..token("azure-key", &["JQQJ9"], r"[A-Za-z0-9]{40}JQQJ9[A-Za-z0-9]{20,}") },
    Rule { lead: 4, ..token("azure-client", &["Q~"], r"[A-Za-z0-9_.~-]{3}[0-9]Q~[A-Za-z0-9_.~-]{30,}") },
    short("bedrock", &["ABSK", "bedrock-api-key-"], r"(?:ABSK|bedrock-api-key-)[A-Za-z0-9+/=]{24,}"),

    // Clouds, forges, registries, payment.
    Rule { n_digits: 0, ..short("aws", &["AKIA", "ASIA", "ABIA", "ACCA", "A3T"], r"(?:AKIA|ASIA|ABIA|ACCA|A3T[A-Z0-9])[A-Z0-9]{16,}") },
    token("github", &["ghp_", "gho_", "ghu_", "ghr_", "ghs_", "github_pat_"],
        r"(?:gh[pour]_[A-Za-z0-9]{30,}|ghs_[A-Za-z0-9._-]{36,}|github_pat_[A-Za-z0-9_]{22,})"),
    token("gitlab", &["glpat-", "gldt-", "glrt-", "glcbt-", "glptt-", "glft-", "glimt-", "glagent-", "gloas-", "glsoat-", "glffct-", "GR1348941", "_gitlab_session="],
        r"(?:gl(?:pat|dt|rt|cbt|ptt|ft|imt|agent|oas|soat|ffct)-|GR1348941|_gitlab_session=)[A-Za-z0-9._=-]{20,}"),
    Rule { n_digits: 3, ..short("slack", &["xoxb-", "xoxp-", "xoxa-", "xoxr-", "xoxs-", "xoxo-", "xoxd-", "xoxe-", "xoxe.xox", "xapp-"],
        r"(?:xox[abdeoprs](?:\.xox[bp])?|xapp)-[A-Za-z0-9%/+=_\\-]{10,}") },
    token("slack-hook", &["hooks.slack.com/"], r"hooks\.slack\.com/(?:services|workflows|triggers)/[A-Za-z0-9/]{20,}"),
    token("npm", &["npm_"], r"npm_[A-Za-z0-9]{30,}"),
    token("pypi", &["pypi-AgE"], r"pypi-AgE[A-Za-z0-9_-]{50,}"),
    short("crates-io", &["cio"], r"cio[A-Za-z0-9]{32,}"),
    token("docker", &["dckr_pat_", "SWMTKN-1-"], r"(?:dckr_pat_|SWMTKN-1-)[A-Za-z0-9_-]{24,}"),
    short("stripe", &["sk_live_", "sk_test_", "sk_prod_", "rk_live_", "rk_test_", "whsec_"],
        r"(?:[sr]k_(?:live|test|prod)|whsec)_[A-Za-z0-9+/=]{20,}"),
    Rule { n_distinct: 12, n_digits: 2, ..short("sendgrid", &["SG."], r"SG\.[A-Za-z0-9_=.-]{50,}") },
    Rule { n_digits: 6, ..short("twilio", &["SK"], r"SK[0-9a-f]{32}") },
    token("mongodb", &["mdb_sa_sk_"], r"mdb_sa_sk_[A-Za-z0-9_-]{30,}"),
    token("other-service", &["dop_v1_", "doo_v1_", "shpat_", "shpss_", "hvs.", "hvb.", "lin_api_", "figd_", "PMAK-", "NRAK-", "rubygems_", "glsa_", "sntrys_", "pscale_tkn_", "dp.pt."],
        r"(?:do[op]_v1_|shp(?:at|ss)_|hv[bs]\.|lin_api_|figd_|(?:PMA|NRA)K-|rubygems_|glsa_|sntrys_|pscale_tkn_|dp\.pt\.)[A-Za-z0-9_=+/-]{24,}"),
    Rule { n_distinct: 12, needs: Some(b'.'), n_digits: 2, ..short("jwt", &["eyJ", "ewo"],
        r"(?:eyJ|ewo)[A-Za-z0-9_-]{8,}(?:={0,2}\.[A-Za-z0-9_-]{8,}={0,2}(?:\.[A-Za-z0-9_-]*)?)?") },

    // Known by what stands before them.
    Rule { n_distinct: 6, ..token("authorization", &["authorization"],
        r#"(?i)authorization[\\"']{0,4}[\s:=]{1,8}[\\"']{0,4}(?:bearer|basic|token|apikey|bot)\s{1,4}(?P<value>[A-Za-z0-9._~+/=:-]{8,})"#) },
    Rule { n_distinct: 6, n_digits: 2, ..token("key-header", &["api-key", "private-token", "subscription-key"],
        r#"(?i)(?:api|private|subscription)-(?:key|token)[\\"']{0,4}\s{0,4}[:=]\s{0,4}[\\"']{0,4}(?P<value>[A-Za-z0-9._~+/=-]{16,})"#) },
    Rule { n_distinct: 3, n_digits: 0, ..token("userinfo", &["://"],
        r#"://[^\s/?#:@"'`<>{}\[\]$]{0,128}:(?P<value>[^\s/?#"'`<>{}\[\]$%*][^\s/?#"'`<>{}\[\]]{2,255})@[A-Za-z0-9%]"#) },
    Rule { n_distinct: 5, n_digits: 0, ..token("password-parameter", &["?password=", "&password=", ";password=", ",password=", "&pwd=", ";pwd="],
        r#"(?i)[?&;,](?:password|pwd)=(?P<value>[^\s&;,"'`<>{}$%*()][^\s&;,"'`<>{}()]{5,255})"#) },
    Rule { n_distinct: 6, n_digits: 0, ..token("docker-auth", &["\"auth\""],
        r#"(?i)"auth\\*"\s{0,4}:\s{0,4}\\*"(?P<value>[A-Za-z0-9+/]{10,}={0,2})"#) },
    Rule { n_distinct: 8, ..token("npm-auth", &["_authToken"],
        r#"_authToken[\\"']{0,4}\s{0,4}[:=]\s{0,4}[\\"']{0,4}(?P<value>[A-Za-z0-9_=+/-]{16,})"#) },
    Rule { n_distinct: 12, n_digits: 3, ..token("connection-string", &["AccountKey=", "SharedAccessKey=", ";Secret=", "&sig="],
        r"(?i)(?:AccountKey=|SharedAccessKey=|;Secret=|&sig=)(?P<value>[A-Za-z0-9+/%]{40,}={0,2})") },
    Rule { n_distinct: 12, ..token("aws-secret", &["secret_access_key", "secretaccesskey"],
        r#"(?i)secret_?access_?key[\\"']{0,4}\s{0,8}[:=]\s{0,8}[\\"']{0,4}(?P<value>[A-Za-z0-9+/]{38,})"#) },

    // Known by their name only, so they have to look random as well.
    Rule { n_distinct: 11, n_digits: 3, ..token("named-key", &["api_key", "apikey", "api key", "access_key", "accesskey", "access key", "account_key", "accountkey", "storagekey", "subscription_key", "secret", "access_token", "accesstoken", "auth_token", "authtoken"],
        r#"(?i)(?:api[_ ]?key|(?:secret[_ ]?)?access[_ ]?key|(?:account|storage)_?key|subscription_?key|secret(?:[_ ]?key)?|(?:access|auth)_?token)(?:_?(?:token|value))?(?:[\\"']{0,4}|>)(?: string)?\s{0,8}(?::=|\?=|=>|[:=,])\s{0,8}[\\"'`({]{0,4}(?P<value>[A-Za-z0-9+/_=.~-]{16,})"#) },
    Rule { n_distinct: 11, n_digits: 3, ..token("vendor-key", &["cohere", "deepseek", "mistral", "ollama", "openai", "azure", "twilio", "wandb"],
        r#"(?i)(?:cohere|deepseek|mistral|ollama|openai|azure|twilio|wandb)[A-Za-z0-9_.]{0,24}[_. ]?(?:key|token|secret)(?:[\\"']{0,4}|>)(?: string)?\s{0,8}(?::=|\?=|=>|[:=,-])\s{0,8}[\\"'`({]{0,4}(?P<value>[A-Za-z0-9+/_=.~-]{28,})"#) },
    Rule { n_distinct: 11, n_digits: 3, is_hex_allowed: false, ..token("named-token", &["token"],
        r#"(?i)token(?:[\\"']{0,4}|>)(?: string)?\s{0,8}(?::=|\?=|=>|[:=])\s{0,8}[\\"'`({]{0,4}(?P<value>[A-Za-z0-9+/_=.~-]{20,})"#) },
];
