//! A progress bar, shown only on a terminal and only for work that takes a while.

use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

/// Shorter work is over before anyone could read the bar.
const SHOW_AFTER: Duration = Duration::from_millis(300);

pub(super) struct ProgressLine {
    bar: ProgressBar,
    started: Instant,
}

impl ProgressLine {
    pub(super) fn new(what: &'static str, unit: &'static str) -> Self {
        let bar = ProgressBar::with_draw_target(Some(0), ProgressDrawTarget::hidden());
        let template = format!("{{msg}} {{wide_bar}} {{human_pos}} of {{human_len}} {unit}, {{eta}} left");
        if let Ok(style) = ProgressStyle::with_template(&template) {
            bar.set_style(style);
        }
        bar.set_message(what);
        Self { bar, started: Instant::now() }
    }

    pub(super) fn show(&mut self, done: u64, total: u64) {
        if self.bar.is_hidden() && self.started.elapsed() > SHOW_AFTER {
            self.bar.set_draw_target(ProgressDrawTarget::stderr_with_hz(10));
        }
        self.bar.set_length(total);
        self.bar.set_position(done);
    }
}

impl Drop for ProgressLine {
    fn drop(&mut self) {
        self.bar.finish_and_clear();
    }
}
