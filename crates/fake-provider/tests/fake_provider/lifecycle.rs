//! Stopping, and restarting on the same port.

use countersign_fake_provider::{Behaviour, Fake};
use serde_json::json;
use tokio::net::TcpStream;

use crate::caller::{OPENAI, chat, open, post};

#[tokio::test]
async fn a_stopped_provider_refuses_callers_and_comes_back_on_its_port() {
    let fake = Fake::start().await;
    let address = fake.address();
    for round in 1..=3 {
        assert_eq!(post(&fake, OPENAI, chat(json!({}))).await.status, 200);
        fake.stop().await;
        let refused = TcpStream::connect(address).await.unwrap_err();
        assert_eq!(refused.kind(), std::io::ErrorKind::ConnectionRefused);
        fake.restart().await;
        assert_eq!((fake.address(), fake.count()), (address, round));
    }
}

#[tokio::test]
async fn stopping_closes_open_calls_without_counting_them_as_cancelled() {
    let fake = Fake::start_with(|_| Behaviour::Hang).await;
    let (call, ()) = tokio::join!(open(&fake, "POST", OPENAI, chat(json!({})).to_string()), async {
        assert!(fake.wait_for(|fake| fake.count() == 1).await);
        fake.stop().await;
    });
    assert!(call.is_err());
    assert_eq!((fake.open_calls(), fake.cancelled()), (0, 0));
}

#[tokio::test]
async fn a_dropped_fake_stops_listening() {
    let fake = Fake::start().await;
    let address = fake.address();
    drop(fake);
    // The listening task ends when the runtime next polls it.
    while TcpStream::connect(address).await.is_ok() {
        tokio::task::yield_now().await;
    }
}

#[tokio::test]
async fn two_fakes_cannot_share_an_address() {
    let fake = Fake::start().await;
    assert!(Fake::listen(fake.address(), |_| Behaviour::Answer).is_err());
}
