//! Agents' steps and progress: each takes effect exactly once.

use countersign_domain::{AgentState, DeadLetterState};
use countersign_store::{DeadLetterQuery, Progress, RegistryEntry, Step, StepCounts, StepOutcome, StoreError};

use super::{Setup, all, for_each_threading, state_of, step, with_dead_letter};

for_each_threading! {
    a_lane_step_takes_effect_once,
    a_batch_step_is_committed_only_if_it_begins_at_the_mark,
    a_replay_is_claimed_once,
    a_step_that_fails_changes_nothing,
    a_mark_never_moves_back,
    attempts_are_counted_until_the_step_is_done,
    a_dead_letter_is_replayed_only_while_it_is_dead,
    a_replay_that_fails_again_leaves_a_dead_letter_and_one_event,
    released_replays_are_dead_letters_again,
    counts_are_added_in_the_commit_of_their_step_and_never_lowered,
    a_history_grows_with_the_marks_of_its_agent,
}

async fn a_lane_step_takes_effect_once(setup: Setup) -> Setup {
    let store = setup.open();
    let lane = |seq, low| step(Progress::Lane { seq, low }, vec![setup.fixture.started("x")]);
    assert_eq!(store.step(lane(2, 0)).await.unwrap(), StepOutcome::Committed);
    assert_eq!(store.step(lane(0, 0)).await.unwrap(), StepOutcome::Committed);
    assert_eq!(store.step(lane(2, 0)).await.unwrap(), StepOutcome::AlreadyDone);
    assert_eq!(store.progress("stand-in").await.unwrap(), (0, vec![0, 2]));
    drop(store);
    let store = setup.open();
    assert_eq!(store.step(lane(2, 0)).await.unwrap(), StepOutcome::AlreadyDone);
    assert_eq!(store.step(lane(1, 3)).await.unwrap(), StepOutcome::Committed);
    assert_eq!(store.progress("stand-in").await.unwrap(), (3, vec![]));
    // Below the mark there are no rows; the mark itself decides.
    assert_eq!(store.step(lane(1, 3)).await.unwrap(), StepOutcome::AlreadyDone);
    assert_eq!(store.size().await.unwrap(), 3);
    // Another agent's progress is its own.
    let other = Step { agent: "other", ..lane(2, 0) };
    assert_eq!(store.step(other).await.unwrap(), StepOutcome::Committed);
    setup
}

async fn a_batch_step_is_committed_only_if_it_begins_at_the_mark(setup: Setup) -> Setup {
    let store = setup.open();
    let batch = |from, to| step(Progress::Batch { from, to }, vec![setup.fixture.started("x")]);
    assert_eq!(store.step(batch(5, 9)).await.unwrap(), StepOutcome::AlreadyDone);
    assert_eq!(store.step(batch(0, 5)).await.unwrap(), StepOutcome::Committed);
    assert_eq!(store.step(batch(0, 5)).await.unwrap(), StepOutcome::AlreadyDone);
    assert_eq!(store.step(batch(4, 9)).await.unwrap(), StepOutcome::AlreadyDone);
    assert_eq!(store.step(batch(5, 9)).await.unwrap(), StepOutcome::Committed);
    assert_eq!((store.progress("stand-in").await.unwrap(), store.size().await.unwrap()), ((9, vec![]), 2));
    setup
}

async fn a_replay_is_claimed_once(setup: Setup) -> Setup {
    let (store, id) = with_dead_letter(&setup).await;
    let replay = || step(Progress::Replay { id }, vec![setup.fixture.started("x")]);
    assert_eq!(store.step(replay()).await.unwrap(), StepOutcome::AlreadyDone, "no replay was requested");
    store.request_replay(id, "ana").await.unwrap();
    let others = Step { agent: "other", ..replay() };
    assert_eq!(store.step(others).await.unwrap(), StepOutcome::AlreadyDone, "the letter is another agent's");
    assert_eq!(store.step(replay()).await.unwrap(), StepOutcome::Committed);
    assert_eq!(store.step(replay()).await.unwrap(), StepOutcome::AlreadyDone);
    assert_eq!(
        (state_of(&store, id).await, store.size().await.unwrap()),
        (DeadLetterState::Replayed, 5),
        "with the events that say so"
    );
    setup
}

async fn a_step_that_fails_changes_nothing(setup: Setup) -> Setup {
    let (store, id) = with_dead_letter(&setup).await;
    store.request_replay(id, "ana").await.unwrap();
    store.append(vec![setup.fixture.investigation("a-1")]).await.unwrap();
    store.count_attempt("stand-in", 0).await.unwrap();
    let before = store.size().await.unwrap();
    for progress in [Progress::Lane { seq: 0, low: 1 }, Progress::Batch { from: 0, to: 1 }, Progress::Replay { id }] {
        let events = vec![setup.fixture.started("x"), setup.fixture.investigation("a-1")];
        let failed = store.step(step(progress, events)).await;
        assert!(matches!(failed, Err(StoreError::Conflict(_))), "{failed:?}");
        assert_eq!((store.progress("stand-in").await.unwrap(), store.size().await.unwrap()), ((0, vec![]), before));
        assert_eq!(state_of(&store, id).await, DeadLetterState::Replaying);
    }
    assert_eq!(store.count_attempt("stand-in", 0).await.unwrap(), 2, "the attempts still count");
    let good = step(Progress::Lane { seq: 0, low: 1 }, vec![setup.fixture.started("x")]);
    assert_eq!(store.step(good).await.unwrap(), StepOutcome::Committed);
    setup
}

async fn a_mark_never_moves_back(setup: Setup) -> Setup {
    let store = setup.open();
    store.mark_low("stand-in", 7).await.unwrap();
    store.mark_low("stand-in", 3).await.unwrap();
    assert_eq!(store.progress("stand-in").await.unwrap(), (7, vec![]));
    store.step(step(Progress::Lane { seq: 9, low: 2 }, vec![])).await.unwrap();
    assert_eq!(store.progress("stand-in").await.unwrap(), (7, vec![9]));
    assert_eq!(store.progress("other").await.unwrap(), (0, vec![]));
    setup
}

async fn attempts_are_counted_until_the_step_is_done(setup: Setup) -> Setup {
    let store = setup.open();
    assert_eq!(store.count_attempt("stand-in", 4).await.unwrap(), 1);
    assert_eq!(store.count_attempt("stand-in", 4).await.unwrap(), 2);
    assert_eq!(store.count_attempt("stand-in", 5).await.unwrap(), 1);
    drop(store);
    let store = setup.open();
    assert_eq!(store.count_attempt("stand-in", 4).await.unwrap(), 3);
    store.step(step(Progress::Lane { seq: 4, low: 0 }, vec![])).await.unwrap();
    assert_eq!(store.count_attempt("stand-in", 4).await.unwrap(), 1);
    assert_eq!(store.count_attempt("stand-in", 5).await.unwrap(), 2);
    store.step(step(Progress::Batch { from: 0, to: 6 }, vec![])).await.unwrap();
    assert_eq!(store.count_attempt("stand-in", 5).await.unwrap(), 1);
    setup
}

async fn a_dead_letter_is_replayed_only_while_it_is_dead(setup: Setup) -> Setup {
    let (store, id) = with_dead_letter(&setup).await;
    let letters = store.dead_letters(DeadLetterQuery { limit: 10, ..Default::default() }).await.unwrap();
    let [letter] = letters.as_slice() else { panic!("{letters:?}") };
    let found = (letter.agent.as_str(), letter.event_seq, letter.attempts, letter.error.as_str());
    assert_eq!(found, ("stand-in", 0, 3, "it does not add up"));
    assert_eq!((letter.event_type.as_str(), letter.state), ("TRANSACTION_RECEIVED", DeadLetterState::Dead));
    assert_eq!(letter.event_id, all(&store).await.first().unwrap().event_id);

    store.request_replay(id, "ana").await.unwrap();
    assert_eq!(state_of(&store, id).await, DeadLetterState::Replaying);
    let again = store.request_replay(id, "ana").await;
    assert!(matches!(&again, Err(StoreError::Conflict(why)) if why.contains("replaying")), "{again:?}");
    let unknown = store.request_replay(setup.fixture.seams.dead_letter_id(), "ana").await;
    assert!(matches!(unknown, Err(StoreError::NotFound)), "{unknown:?}");
    // It fails again, and is dead again under its own id.
    let again = setup.fixture.dead_letter(id, "stand-in", 0, letter.event_id);
    store.append(vec![again]).await.unwrap();
    assert_eq!(state_of(&store, id).await, DeadLetterState::Dead);
    setup
}

async fn a_replay_that_fails_again_leaves_a_dead_letter_and_one_event(setup: Setup) -> Setup {
    let (store, id) = with_dead_letter(&setup).await;
    store.request_replay(id, "ana").await.unwrap();
    let size = store.size().await.unwrap();
    let again = setup.fixture.dead_letter(id, "stand-in", 0, all(&store).await[0].event_id);
    let replay = step(Progress::Replay { id }, vec![again]);
    assert_eq!(store.step(replay).await.unwrap(), StepOutcome::Committed);
    assert_eq!(state_of(&store, id).await, DeadLetterState::Dead);
    let added: Vec<_> = all(&store).await.into_iter().skip(size as usize).map(|event| event.event_type).collect();
    assert_eq!(added, ["EVENT_DEAD_LETTERED"], "nothing says that it was replayed");
    store.request_replay(id, "ana").await.unwrap();
    setup
}

async fn released_replays_are_dead_letters_again(setup: Setup) -> Setup {
    let (store, first) = with_dead_letter(&setup).await;
    let event_id = all(&store).await[0].event_id;
    let [second, dead, others] = [(); 3].map(|()| setup.fixture.seams.dead_letter_id());
    let letters = [(second, "stand-in"), (dead, "stand-in"), (others, "other")];
    let letters = letters.map(|(id, agent)| setup.fixture.dead_letter(id, agent, 0, event_id));
    store.append(letters.to_vec()).await.unwrap();
    for id in [first, second, others] {
        store.request_replay(id, "ana").await.unwrap();
    }
    let size = store.size().await.unwrap();
    store.release_replays("stand-in").await.unwrap();
    for (id, state) in [
        (first, DeadLetterState::Dead),
        (second, DeadLetterState::Dead),
        (dead, DeadLetterState::Dead),
        (others, DeadLetterState::Replaying),
    ] {
        assert_eq!(state_of(&store, id).await, state, "{id}");
    }
    let mut released: Vec<_> = all(&store).await.into_iter().skip(size as usize).collect();
    assert!(released.iter().all(|event| event.payload.as_ref().unwrap().get().contains("\"released\"")));
    released.retain(|event| event.event_type == "DEAD_LETTER_CHANGED");
    assert_eq!(released.len(), 2, "one event for each that was released");

    store.release_replays("stand-in").await.unwrap();
    assert_eq!(store.size().await.unwrap(), size + 2, "no replay was requested");
    let replay = step(Progress::Replay { id: first }, vec![]);
    assert_eq!(store.step(replay).await.unwrap(), StepOutcome::AlreadyDone);
    store.request_replay(first, "ana").await.unwrap();
    setup
}

async fn counts_are_added_in_the_commit_of_their_step_and_never_lowered(setup: Setup) -> Setup {
    let store = setup.open();
    let at = setup.fixture.seams.now();
    let entry = |processed, failed, dead_lettered| RegistryEntry {
        name: "stand-in".into(),
        state: AgentState::Listen,
        priority: 0,
        paused: false,
        started_at: at,
        heartbeat_at: at,
        processed,
        failed,
        dead_lettered,
        lag: 0,
        last_error: None,
    };
    let counted = |seq, counts| Step { counts, ..step(Progress::Lane { seq, low: 0 }, vec![]) };
    let found = async || {
        let entries = store.registry().await.unwrap();
        entries.iter().map(|entry| (entry.processed, entry.failed, entry.dead_lettered)).collect::<Vec<_>>()
    };
    let counts = StepCounts { processed: 2, dead_lettered: 1, failed_so_far: 7 };
    store.step(counted(0, counts)).await.unwrap();
    assert!(found().await.is_empty(), "an agent without an entry has no counts");
    store.register(entry(5, 3, 0)).await.unwrap();
    store.step(counted(1, counts)).await.unwrap();
    assert_eq!(found().await, [(7, 7, 1)], "failures are a running total, the others are added");
    store.step(counted(1, counts)).await.unwrap();
    let fails = vec![setup.fixture.investigation("a-1"), setup.fixture.investigation("a-1")];
    store.step(Step { events: fails, ..counted(2, counts) }).await.unwrap_err();
    assert_eq!(found().await, [(7, 7, 1)], "only a committed step counts");
    store.step(counted(3, StepCounts { failed_so_far: 6, ..counts })).await.unwrap();
    store.register(entry(6, 9, 0)).await.unwrap();
    assert_eq!(found().await, [(9, 9, 2)], "of each count the larger one is kept");
    setup
}

async fn a_history_grows_with_the_marks_of_its_agent(setup: Setup) -> Setup {
    let store = setup.open();
    store.ingest(setup.transactions(0, 30)).await.unwrap();
    let batch =
        |from, to| Step { agent: "detector", indexes_history: true, ..step(Progress::Batch { from, to }, vec![]) };
    let user = "user-1".parse().unwrap();
    for (from, to, reached) in [(0, 10, 10), (0, 10, 10), (5, 20, 10), (10, 30, 30)] {
        store.step(batch(from, to)).await.unwrap();
        let record = store.customer_record(&user, None, 100, 1).await;
        assert_eq!(record.unwrap().summary.count, reached);
    }
    let newest = store.history(&user, 25, 3).await.unwrap();
    assert_eq!(newest.iter().map(|event| event.seq).collect::<Vec<_>>(), [24, 23, 22]);
    setup
}
