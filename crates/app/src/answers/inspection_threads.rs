//! Long texts are inspected outside the threads that serve requests, because a megabyte takes long enough to delay other
//! requests.

use std::panic::resume_unwind;

/// Texts up to this length are inspected on the calling thread: that is quick enough not to delay other requests.
const LONG_BYTES: usize = 64 * 1024;

/// Runs the inspection of a text of `bytes` bytes, on this thread or another.
pub(super) async fn run_inspection<T: Send + 'static>(bytes: usize, work: impl FnOnce() -> T + Send + 'static) -> T {
    if bytes <= LONG_BYTES {
        return work();
    }
    match tokio::task::spawn_blocking(work).await {
        Ok(done) => done,
        Err(error) if error.is_panic() => resume_unwind(error.into_panic()),
        // The runtime is shutting down, and this task with it.
        Err(_) => std::future::pending().await,
    }
}

#[cfg(test)]
mod tests {
    use std::thread;

    use futures_util::FutureExt;

    use super::*;

    #[tokio::test]
    async fn long_texts_are_inspected_on_another_thread_and_short_ones_on_this_one() {
        let here = thread::current().id();
        assert_eq!(run_inspection(LONG_BYTES, || thread::current().id()).await, here);
        assert_ne!(run_inspection(LONG_BYTES + 1, || thread::current().id()).await, here);
    }

    #[tokio::test]
    async fn a_panic_reaches_the_caller() {
        let panicking = run_inspection::<()>(LONG_BYTES + 1, || panic!("a bug"));
        let panic = std::panic::AssertUnwindSafe(panicking).catch_unwind().await.unwrap_err();
        assert_eq!(panic.downcast_ref::<&str>(), Some(&"a bug"));
    }
}
