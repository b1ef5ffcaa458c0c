//! A provider of models on this machine: real HTTP, and every way to misbehave.

use std::io::{BufRead as _, BufReader, Read as _, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::{Duration, Instant};

use serde_json::{Value, json};

/// What a provider does with a request.
#[derive(Clone, Debug)]
pub(crate) enum Act {
    /// Answers with this status, these headers and this body.
    Say(u16, Vec<(&'static str, String)>, String),
    /// Sends this as a stream of events, and `[DONE]` where it says so.
    Stream(Vec<Value>, bool),
    /// Sends the headers of a stream and half a line, then hangs up.
    Break,
    /// Reads the request, and hangs up.
    HangUp,
    /// Does something else so long after the request came.
    After(Duration, Box<Self>),
}

type Answering = dyn Fn(&[u8], usize) -> Act + Send + Sync;

/// A server on a port of its own.
pub(crate) struct Provider {
    pub(crate) url: String,
    seen: Arc<Seen>,
    is_over: Arc<AtomicBool>,
    port: u16,
}

/// An answer that comes at once.
pub(crate) fn completion(content: &str) -> Act {
    whole(&json!({"content": content, "role": "assistant"}), "stop")
}

/// An answer with this message.
pub(crate) fn whole(message: &Value, finish_reason: &str) -> Act {
    let body = json!({
        "id": "gen-1", "model": "test/model-2026", "object": "chat.completion",
        "choices": [{"finish_reason": finish_reason, "index": 0, "message": message}],
        "usage": {
            "completion_tokens": 12, "prompt_tokens": 340, "cost": 0.000_012_5,
            "completion_tokens_details": {"reasoning_tokens": 5},
            "prompt_tokens_details": {"cached_tokens": 100},
        },
    });
    Act::Say(200, Vec::new(), body.to_string())
}

/// An answer that comes in pieces.
pub(crate) fn stream(content: &str) -> Act {
    let piece = |delta: Value, reason: Value| {
        json!({
            "id": "gen-2", "model": "test/model-2026",
            "choices": [{"delta": delta, "finish_reason": reason, "index": 0}],
        })
    };
    let (start, end) = content.split_at(content.len() / 2);
    let usage = json!({"choices": [], "usage": {"completion_tokens": 3, "prompt_tokens": 9}});
    let pieces = vec![
        piece(json!({"role": "assistant", "content": ""}), Value::Null),
        piece(json!({"content": start}), Value::Null),
        piece(json!({"content": end}), Value::Null),
        piece(json!({}), json!("stop")),
        usage,
    ];
    Act::Stream(pieces, true)
}

/// An answer that says nothing but that it failed.
pub(crate) fn failing(status: u16, message: &str) -> Act {
    let body = json!({"error": {"message": message}});
    Act::Say(status, Vec::new(), body.to_string())
}

/// The requests so far.
struct Seen {
    keeps: bool,
    requests: Mutex<Vec<(String, Value)>>,
    count: AtomicUsize,
}

impl Provider {
    /// Starts one that answers so. It is told the body of a request, and how many
    /// came before.
    pub(crate) fn start(answering: impl Fn(&Value, usize) -> Act + Send + Sync + 'static) -> Self {
        Self::keeping(true, move |body, before| {
            answering(&serde_json::from_slice(body).unwrap(), before)
        })
    }

    /// The same, which keeps no request and leaves the body unread: for a load that
    /// is to cost little.
    pub(crate) fn forgetting(
        answering: impl Fn(&[u8], usize) -> Act + Send + Sync + 'static,
    ) -> Self {
        Self::keeping(false, answering)
    }

    fn keeping(
        keeps: bool,
        answering: impl Fn(&[u8], usize) -> Act + Send + Sync + 'static,
    ) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let port = listener.local_addr().unwrap().port();
        let seen = Arc::new(Seen {
            keeps,
            requests: Mutex::default(),
            count: AtomicUsize::new(0),
        });
        let is_over = Arc::new(AtomicBool::new(false));
        let answering: Arc<Answering> = Arc::new(answering);
        let (all, over) = (Arc::clone(&seen), Arc::clone(&is_over));
        thread::spawn(move || {
            for connection in listener.incoming() {
                if over.load(Ordering::Relaxed) {
                    return;
                }
                let (answering, all) = (Arc::clone(&answering), Arc::clone(&all));
                thread::spawn(move || {
                    // Who hangs up in the middle is what is tested.
                    drop(serve(&connection.unwrap(), &*answering, &all));
                });
            }
        });
        Self {
            url: format!("http://127.0.0.1:{port}/v1"),
            seen,
            is_over,
            port,
        }
    }

    /// How many requests there were.
    pub(crate) fn count(&self) -> usize {
        self.seen.count.load(Ordering::Relaxed)
    }

    /// The requests so far: heads and bodies.
    pub(crate) fn seen(&self) -> Vec<(String, Value)> {
        self.seen.requests.lock().unwrap().clone()
    }
}

impl Drop for Provider {
    fn drop(&mut self) {
        self.is_over.store(true, Ordering::Relaxed);
        // Wakes who waits for a connection.
        drop(TcpStream::connect(("127.0.0.1", self.port)));
    }
}

fn serve(connection: &TcpStream, answering: &Answering, seen: &Seen) -> std::io::Result<()> {
    let mut reader = BufReader::new(connection.try_clone()?);
    loop {
        let mut head = String::new();
        let mut length = 0;
        loop {
            let mut line = String::new();
            if reader.read_line(&mut line)? == 0 {
                return Ok(());
            }
            let lower = line.to_ascii_lowercase();
            if let Some(said) = lower.strip_prefix("content-length:") {
                length = said.trim().parse().unwrap();
            }
            if line == "\r\n" {
                break;
            }
            head.push_str(&line);
        }
        let mut body = vec![0; length];
        reader.read_exact(&mut body)?;
        let came = Instant::now();
        // A question without a body is what its address says.
        if body.is_empty() {
            body = json!({"path": head.lines().next()})
                .to_string()
                .into_bytes();
        }
        let before = seen.count.fetch_add(1, Ordering::Relaxed);
        if seen.keeps {
            let mut requests = seen.requests.lock().unwrap();
            requests.push((head, serde_json::from_slice(&body).unwrap()));
        }
        if !act(&mut &*connection, came, answering(&body, before))? {
            return Ok(());
        }
    }
}

/// Answers; says whether the connection stays open.
fn act(mut out: impl Write, came: Instant, act_of: Act) -> std::io::Result<bool> {
    let head = |status: u16| format!("HTTP/1.1 {status} Whatever\r\n");
    let events = "content-type: text/event-stream\r\nconnection: close\r\n\r\n";
    match act_of {
        Act::Say(status, headers, body) => {
            let headers = headers.iter();
            let headers: Vec<_> = headers
                .map(|(name, value)| format!("{name}: {value}\r\n"))
                .collect();
            let (headers, length) = (headers.concat(), body.len());
            let text = format!(
                "{}{headers}content-type: application/json\r\ncontent-length: {length}\r\n\r\n{body}",
                head(status)
            );
            out.write_all(text.as_bytes())?;
            Ok(true)
        }
        Act::Stream(pieces, is_done) => {
            write!(out, "{}{events}: keeps the line open\n\n", head(200))?;
            for piece in pieces {
                write!(out, "data: {piece}\n\n")?;
                out.flush()?;
            }
            if is_done {
                out.write_all(b"data: [DONE]\n\n")?;
            }
            Ok(false)
        }
        Act::Break => {
            write!(out, "{}{events}data: {{\"choi", head(200))?;
            Ok(false)
        }
        Act::HangUp => Ok(false),
        Act::After(wait, then) => {
            thread::sleep(wait.saturating_sub(came.elapsed()));
            act(out, came, *then)
        }
    }
}
