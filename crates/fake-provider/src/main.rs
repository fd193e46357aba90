//! `fake-provider`: the fake provider at a fixed address, for benchmarks and for demonstrating faults.

use std::io::{self, Write};
use std::net::SocketAddr;
use std::time::Duration;

use clap::Parser;
use countersign_fake_provider::{Behaviour, Fake, Received, mixed, mixed_with_hangs};

/// Speaks the wire formats of OpenAI, Groq, Ollama, Gemini and Anthropic; answers are canned.
#[derive(Debug, Parser)]
#[command(version)]
struct Arguments {
    #[arg(long, default_value = "127.0.0.1:9100")]
    listen: SocketAddr,
    /// Wait before each answer.
    #[arg(long, default_value_t = 0)]
    delay_ms: u64,
    /// Share of the calls that fail, from 0 to 1.
    #[arg(long, default_value_t = 0.0)]
    fail_rate: f64,
    /// Seed that determines which calls fail.
    #[arg(long, default_value_t = 0)]
    seed: u64,
    /// Wait between the chunks of a stream.
    #[arg(long, default_value_t = 0)]
    chunk_delay_ms: u64,
    /// Let some of the failing calls never respond.
    #[arg(long)]
    hang: bool,
    /// Print the counts every second.
    #[arg(long)]
    stats: bool,
}

#[tokio::main(flavor = "current_thread")]
async fn main() -> io::Result<()> {
    let arguments = Arguments::parse();
    let fake = Fake::listen(arguments.listen, script(&arguments))?;
    fake.set_recording(false);
    fake.set_chunk_delay(Duration::from_millis(arguments.chunk_delay_ms));
    writeln!(io::stdout(), "listening on http://{}", fake.address())?;
    tokio::select! {
        ended = tokio::signal::ctrl_c() => ended,
        ended = print_stats(&fake), if arguments.stats => ended,
    }
}

fn script(arguments: &Arguments) -> impl Fn(&Received) -> Behaviour + Send + Sync + 'static {
    let (seed, fail_rate, hang) = (arguments.seed, arguments.fail_rate, arguments.hang);
    let (quick, hanging) = (mixed(seed, fail_rate), mixed_with_hangs(seed, fail_rate));
    let delay = Duration::from_millis(arguments.delay_ms);
    move |received| {
        let behaviour = if hang { hanging(received) } else { quick(received) };
        if delay.is_zero() { behaviour } else { Behaviour::Delay(delay, Box::new(behaviour)) }
    }
}

async fn print_stats(fake: &Fake) -> io::Result<()> {
    let mut seconds = tokio::time::interval(Duration::from_secs(1));
    let mut before = 0;
    loop {
        seconds.tick().await;
        let count = fake.count();
        let (rate, open, cancelled) = (count - before, fake.open_calls(), fake.cancelled());
        writeln!(io::stdout(), "{count} calls, {rate}/s, {open} open, {cancelled} cancelled")?;
        before = count;
    }
}
