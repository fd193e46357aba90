//! Limits on concurrent calls, rates and budgets, and circuit breakers.

use crate::{ONCE, THRICE, build, fake, limited, models, settings, target};
use countersign_fake_provider::{Behaviour, Fake};
use countersign_llm::{
    AttemptOutcome, BreakerState, CallError, CallLimits, CallPolicy, CallResult, ModelSeams, Models, Price, Prompt,
    Purpose, Reply,
};
use rust_decimal::Decimal;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, SystemTime};

async fn ask(models: &Models, calls: &CallPolicy) -> CallResult<Reply> {
    models.chat(Purpose::Worker, &target("groq"), &Prompt::user("Why?"), calls).await
}

#[tokio::test]
async fn concurrent_calls_to_a_provider_are_limited() {
    let fake = Fake::start_with(|_| Behaviour::Delay(Duration::from_millis(50), Box::new(Behaviour::Answer))).await;
    let models = limited(&fake, &CallLimits { concurrency_max: Some(2), ..CallLimits::default() });
    let max_in_flight = Arc::new(AtomicU64::new(0));
    let calls: Vec<_> = (0..8)
        .map(|_| {
            let (models, max_in_flight) = (models.clone(), max_in_flight.clone());
            tokio::spawn(async move {
                let call = ask(&models, &ONCE);
                let watch = async {
                    loop {
                        max_in_flight.fetch_max(models.health()[0].in_flight as u64, Ordering::Relaxed);
                        tokio::task::yield_now().await;
                    }
                };
                tokio::select! { called = call => called.result.unwrap(), () = watch => unreachable!() };
            })
        })
        .collect();
    for call in calls {
        call.await.unwrap();
    }
    assert_eq!((fake.count(), max_in_flight.load(Ordering::Relaxed)), (8, 2));
}

#[tokio::test]
async fn waiting_for_a_free_call_slot_ends_at_the_deadline() {
    let fake = fake([Behaviour::Hang]).await;
    let models = limited(&fake, &CallLimits { concurrency_max: Some(1), ..CallLimits::default() });
    let holder = tokio::spawn({
        let models = models.clone();
        async move { ask(&models, &ONCE).await }
    });
    assert!(fake.wait_for(|fake| fake.count() == 1).await);
    let called = ask(&models, &CallPolicy { deadline: Duration::from_millis(100), ..THRICE }).await;
    assert_eq!(called.result.unwrap_err(), CallError::Deadline);
    assert_eq!((fake.count(), called.attempts.len()), (1, 1));
    holder.abort();
}

#[tokio::test]
async fn requests_beyond_the_rate_fail_immediately_if_the_deadline_is_near() {
    let fake = fake([]).await;
    let models = limited(&fake, &CallLimits { requests_per_minute: Some(2), ..CallLimits::default() });
    for is_allowed in [true, true, false] {
        assert_eq!(ask(&models, &THRICE).await.result.is_ok(), is_allowed);
    }
    assert_eq!(fake.count(), 2);
}

#[tokio::test]
async fn calls_beyond_a_daily_budget_are_refused_until_midnight() {
    let fake = fake([]).await;
    let seconds = Arc::new(AtomicU64::new(20_000 * 86_400));
    let clock = seconds.clone();
    let now = move || SystemTime::UNIX_EPOCH + Duration::from_secs(clock.load(Ordering::Relaxed));
    let mut settings = settings(&fake);
    settings.providers[0].limits.tokens_per_day = Some(1_000_000);
    let models = Models::with_seams(settings, ModelSeams { jitter: Arc::new(|| 0.5), now: Arc::new(now) }).unwrap();
    models.add_spent("groq", 999_999, Decimal::ZERO);
    ask(&models, &THRICE).await.result.unwrap();
    let called = ask(&models, &THRICE).await;
    assert!(matches!(called.result.unwrap_err(), CallError::OverBudget { what } if what == "tokens per day of groq"));
    assert_eq!((called.attempts.len(), called.attempts[0].outcome), (1, AttemptOutcome::OverBudget));
    assert_eq!(fake.count(), 1);
    seconds.fetch_add(86_400, Ordering::Relaxed);
    ask(&models, &THRICE).await.result.unwrap();
}

#[tokio::test]
async fn costs_are_computed_from_the_configured_prices() {
    let fake = fake([]).await;
    let mut settings = settings(&fake);
    let (input_usd_per_mtok, output_usd_per_mtok) = (Decimal::from(1_000_000), Decimal::from(2_000_000));
    let (provider, model) = ("groq".to_owned(), "some-*".to_owned());
    settings.prices = vec![Price { provider, model, input_usd_per_mtok, output_usd_per_mtok }];
    settings.providers[0].limits.usd_per_day = Some(Decimal::ONE);
    let models = build(settings);
    let called = ask(&models, &ONCE).await;
    let usage = called.result.unwrap().usage;
    let expected = Decimal::from(usage.input_tokens.unwrap() + 2 * usage.output_tokens.unwrap());
    assert_eq!(called.attempts[0].cost_usd, Some(expected));
    let health = models.health().remove(0);
    assert_eq!((health.cost_today_usd, health.tokens_today), (expected, usage.total().unwrap()));
    assert_eq!((health.usd_per_day, health.tokens_per_day), (Some(Decimal::ONE), None));
    assert_eq!(ask(&models, &ONCE).await.attempts[0].outcome, AttemptOutcome::OverBudget);
}

#[tokio::test]
async fn a_failing_model_opens_only_its_own_circuit() {
    let fake = Fake::start_with(|_| Behaviour::Status(503)).await;
    let models = models(&fake);
    for _ in 0..20 {
        assert_eq!(ask(&models, &ONCE).await.attempts[0].outcome, AttemptOutcome::ServerError);
    }
    let called = ask(&models, &THRICE).await;
    assert!(matches!(called.result.unwrap_err(), CallError::CircuitOpen { retry_after } if retry_after.as_secs() == 4));
    assert_eq!((called.attempts.len(), called.attempts[0].outcome), (1, AttemptOutcome::CircuitOpen));
    assert_eq!((called.attempts[0].status, fake.count()), (None, 20));
    assert_eq!(models.health()[0].breakers, [(Arc::from("some-model"), BreakerState::Open)]);
    let other = countersign_llm::Target::new("groq", "other-model");
    let called = models.chat(Purpose::Worker, &other, &Prompt::user("Why?"), &ONCE).await;
    assert_eq!(called.attempts[0].outcome, AttemptOutcome::ServerError);
}

#[tokio::test]
async fn refusals_of_a_key_do_not_open_the_circuit() {
    let fake = Fake::start_with(|_| Behaviour::Status(401)).await;
    let models = models(&fake);
    for _ in 0..30 {
        assert_eq!(ask(&models, &ONCE).await.attempts[0].outcome, AttemptOutcome::Refused);
    }
    assert_eq!(models.health()[0].breakers[0].1, BreakerState::Closed);
}

#[tokio::test]
async fn a_call_that_is_retrying_when_its_circuit_opens_keeps_its_attempts() {
    let fake = Fake::start_with(|_| Behaviour::Status(503)).await;
    let models = models(&fake);
    for _ in 0..19 {
        ask(&models, &ONCE).await;
    }
    let called = ask(&models, &THRICE).await;
    let outcomes: Vec<_> = called.attempts.iter().map(|attempt| attempt.outcome).collect();
    assert_eq!(outcomes, [AttemptOutcome::ServerError, AttemptOutcome::CircuitOpen, AttemptOutcome::CircuitOpen]);
    assert_eq!(fake.count(), 20);
}
