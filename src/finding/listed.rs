/// Makes the list of codes from their names, weights and words.
macro_rules! codes {
    ($($variant:ident $name:literal $severity:ident $what:literal $remedy:literal)*) => {
        /// The name of a rule. The order is the order in which rules speak.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
        pub enum Code {
            $(#[doc = $what] $variant,)*
        }

        impl Code {
            /// Every code, in order.
            pub const ALL: &'static [Self] = &[$(Self::$variant,)*];

            /// The kebab-case name.
            pub const fn as_str(self) -> &'static str {
                match self { $(Self::$variant => $name,)* }
            }

            /// How much weight a finding of this code has.
            pub const fn severity(self) -> Severity {
                match self { $(Self::$variant => Severity::$severity,)* }
            }

            /// What the rule finds, in one sentence.
            pub const fn what(self) -> &'static str {
                match self { $(Self::$variant => $what,)* }
            }

            /// What to do, where nothing more exact is known.
            pub const fn remedy(self) -> &'static str {
                match self { $(Self::$variant => $remedy,)* }
            }
        }
    };
}

pub(in crate::finding) use codes;
