//! A minimal HTTP client. It shares the machine with the server, so it must cost as little as possible.

use std::time::{Duration, Instant};

use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::TcpStream,
};

/// A connection that sends one request after the other.
pub(crate) struct Connection {
    stream: TcpStream,
    buffer: Vec<u8>,
    host: String,
}

/// The time that a response took.
pub(crate) struct ResponseTiming {
    pub(crate) status: u16,
    /// The time until the first byte of the body.
    pub(crate) first: Duration,
    pub(crate) whole: Duration,
}

impl Connection {
    pub(crate) async fn open(address: &str) -> Self {
        let stream = TcpStream::connect(address).await.unwrap();
        stream.set_nodelay(true).unwrap();
        Self { stream, buffer: Vec::with_capacity(16 * 1024), host: address.to_owned() }
    }

    pub(crate) async fn post(&mut self, path: &str, body: &str) -> ResponseTiming {
        let request = format!(
            "POST {path} HTTP/1.1\r\nHost: {}\r\nContent-Type: application/json\r\nContent-Length: {}\r\n\r\n{body}",
            self.host,
            body.len()
        );
        let sent = Instant::now();
        self.stream.write_all(request.as_bytes()).await.unwrap();
        self.buffer.clear();
        let mut first = None;
        loop {
            let read = self.stream.read_buf(&mut self.buffer).await.unwrap();
            assert!(read > 0, "the server closed the connection");
            let Some(end) = self.buffer.windows(4).position(|four| four == b"\r\n\r\n") else { continue };
            let body = &self.buffer[end + 4..];
            if first.is_none() && !body.is_empty() {
                first = Some(sent.elapsed());
            }
            let head = std::str::from_utf8(&self.buffer[..end]).unwrap().to_ascii_lowercase();
            let length = head.lines().find_map(|line| line.strip_prefix("content-length: ")?.parse::<usize>().ok());
            let is_whole = match length {
                Some(length) => body.len() >= length,
                None => body.ends_with(b"0\r\n\r\n"),
            };
            if is_whole {
                let status = head.split(' ').nth(1).and_then(|status| status.parse().ok()).expect("a status");
                let whole = sent.elapsed();
                return ResponseTiming { status, first: first.unwrap_or(whole), whole };
            }
        }
    }
}
