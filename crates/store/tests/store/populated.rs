//! Fills a store with something in every table, through the store's own calls.

use countersign_domain::{EventId, NewEvent, ReportId, StoredEvent, payload::KeyChange};
use countersign_store::{EventQuery, NewReport, Progress, Step, Store};

use crate::fixture::{Fixture, log_id};

/// Fills a new store as a server would, with rows in every table, and closes it.
pub(crate) async fn fill(fixture: &Fixture, store: Store) {
    let filler = Filler { fixture, store: &store };
    let transactions: Vec<_> = (0..200).map(|n| filler.transaction(n)).collect();
    store.ingest(transactions).await.unwrap();
    filler.detect(0, 200).await;
    filler.checkpoint().await;
    for (n, severity) in ["low", "medium", "high", "critical", "high", "medium", "low"].into_iter().enumerate() {
        filler.alert(n, severity).await;
    }
    filler.checkpoint().await;
    for n in 0..4 {
        filler.answer(n).await;
    }
    let open = vec![fixture.answer_requested("open-1"), fixture.answer_failed("open-2")];
    store.append(open).await.unwrap();
    for n in 0..4 {
        filler.dead_letter(n).await;
    }
    for id in ["aaaaaaaaaaaa", "bbbbbbbbbbbb", "cccccccccccc"] {
        store.append(vec![fixture.key(id, KeyChange::Created)]).await.unwrap();
    }
    store.append(vec![fixture.key("bbbbbbbbbbbb", KeyChange::Revoked)]).await.unwrap();
    filler.checkpoint().await;
    filler.erase().await;
    store.append(["detector", "reporter"].map(|agent| fixture.started(agent)).to_vec()).await.unwrap();
    // The detector hasn't handled this one.
    store.ingest(vec![filler.transaction(200)]).await.unwrap();
    store.close().await.unwrap();
}

struct Filler<'a> {
    fixture: &'a Fixture,
    store: &'a Store,
}

impl Filler<'_> {
    fn transaction(&self, n: usize) -> NewEvent {
        self.fixture.transaction_of(&format!("user-{}", n % 7), &format!("tx-{n}"), "12.50")
    }

    async fn checkpoint(&self) {
        self.fixture.clock.move_by_seconds(61);
        self.store.sign_checkpoint().await.unwrap();
    }

    /// The detector handles these events and raises an alert about one of them.
    async fn detect(&self, from: u64, to: u64) {
        let cause = self.store.events(at(from)).await.unwrap().remove(0).event_id;
        let alert = by("detector", self.fixture.alert_of("user-0", "detected", "low", 20).caused_by(cause));
        let step = Step::new("detector", Progress::Batch { from, to }, vec![alert]);
        self.store.step(Step { indexes_history: true, ..step }).await.unwrap();
        let seq = self.store.size().await.unwrap() - 1;
        let alert = self.store.events(at(seq)).await.unwrap().remove(0).event_id;
        self.step("reporter", seq, vec![self.skipped("detected").caused_by(alert)], vec![]).await;
        self.step("orchestrator", seq, vec![], vec![]).await;
    }

    fn skipped(&self, alert: &str) -> NewEvent {
        let skipped = serde_json::json!({
            "fraud_detection_id": alert, "reason": "low severity", "skipped_at": self.fixture.seams.now()
        });
        self.fixture.event(serde_json::from_value::<countersign_domain::payload::ReportSkipped>(skipped).unwrap())
    }

    /// Finishes one event of a lane. The mark moves for some of them only.
    async fn step(&self, agent: &'static str, seq: u64, events: Vec<NewEvent>, reports: Vec<NewReport>) {
        let events = events.into_iter().map(|event| by(agent, event)).collect();
        let low = if seq.is_multiple_of(2) { seq + 1 } else { 0 };
        let step = Step::new(agent, Progress::Lane { seq, low }, events);
        self.store.step(Step { reports, ..step }).await.unwrap();
    }

    /// An alert and everything that follows from it, in some cases including a person's decision.
    async fn alert(&self, n: usize, severity: &str) {
        let (f, name) = (self.fixture, format!("a-{n}"));
        let alert = f.alert_of(&format!("user-{}", n % 2), &name, severity, 70);
        let (id, seq) = (alert.event_id, self.store.size().await.unwrap());
        self.store.ingest(vec![alert]).await.unwrap();
        if severity == "low" {
            self.step("reporter", seq, vec![self.skipped(&name).caused_by(id)], vec![]).await;
            self.step("orchestrator", seq, vec![], vec![]).await;
            return;
        }
        let opened = f.investigation_of(&format!("user-{}", n % 2), &name, severity, 70).caused_by(id);
        let opened_seq = self.store.size().await.unwrap();
        self.step("orchestrator", seq, vec![opened], vec![]).await;
        self.step("supervisor", opened_seq, vec![], vec![]).await;
        let (report, content) = f.report(&name, 1);
        let (report_id, generated) = (content.report_id.clone(), report.event_id);
        let report_seq = self.store.size().await.unwrap();
        self.step("reporter", seq, vec![report.caused_by(id)], vec![content]).await;
        let verdict = match n {
            2 => f.doubted(&name, &report_id, true),
            3 => f.doubted(&name, &report_id, false),
            _ => f.passed(&name, &report_id),
        };
        let (verdict_id, verdict_seq) = (verdict.event_id, self.store.size().await.unwrap());
        self.step("supervisor", report_seq, vec![verdict.caused_by(generated)], vec![]).await;
        match n {
            // A second version is written.
            2 => self.again(&name, &report_id, verdict_id, verdict_seq).await,
            // The case is assigned, and the report is sent back and written again.
            3 => {
                self.store.append(vec![f.assigned(&name, Some("ana"))]).await.unwrap();
                self.step("orchestrator", verdict_seq, vec![], vec![]).await;
                let review = f.decided(&name, &report_id, "send_back");
                let (review_id, review_seq) = (review.event_id, self.store.size().await.unwrap());
                self.store.append(vec![review]).await.unwrap();
                self.again(&name, &report_id, review_id, review_seq).await;
            }
            // The report is reviewed once more, because somebody asked; then it gets an addendum.
            4 => {
                let asked = f.review_requested(&name);
                let (asked_id, asked_seq) = (asked.event_id, self.store.size().await.unwrap());
                self.store.append(vec![asked]).await.unwrap();
                let completed = f.completed(&name, &report_id).caused_by(asked_id);
                self.step("supervisor", asked_seq, vec![completed], vec![]).await;
                self.store.append(vec![f.addendum(&name, &report_id)]).await.unwrap();
            }
            _ => {}
        }
    }

    /// The orchestrator asks for a second version, and the reporter writes it.
    async fn again(&self, name: &str, report_id: &ReportId, cause: EventId, seq: u64) {
        let f = self.fixture;
        let request = f.requested(name, report_id).caused_by(cause);
        let (request_id, request_seq) = (request.event_id, self.store.size().await.unwrap());
        self.step("orchestrator", seq, vec![request], vec![]).await;
        let (report, content) = f.report(name, 2);
        let (generated, id, report_seq) =
            (report.event_id, content.report_id.clone(), self.store.size().await.unwrap());
        self.step("reporter", request_seq, vec![report.caused_by(request_id)], vec![content]).await;
        self.step("supervisor", report_seq, vec![f.passed(name, &id).caused_by(generated)], vec![]).await;
    }

    /// An answer that is audited at once, under an idempotency key, or later by the auditor.
    async fn answer(&self, n: u8) {
        let (f, id) = (self.fixture, format!("log-{n}"));
        let mut log = f.log(&id, n * 3, f.seams.now(), "why", "because");
        if n.is_multiple_of(2) {
            log.metadata = format!(r#"{{"idempotency":"ab{n}","body":"cd"}}"#);
            self.store.append(vec![f.answer_requested(&id), log]).await.unwrap();
            return;
        }
        let recorded = f.answer_recorded(&id);
        let (recorded_id, seq) = (recorded.event_id, self.store.size().await.unwrap());
        self.store.append(vec![recorded]).await.unwrap();
        self.step("auditor", seq, vec![log.caused_by(recorded_id)], vec![]).await;
    }

    /// An alert whose webhook failed: a dead letter that is dead, being replayed, replayed, or dead again.
    async fn dead_letter(&self, n: usize) {
        let (f, id) = (self.fixture, self.fixture.seams.dead_letter_id());
        let alert = f.alert_of("user-9", &format!("w-{n}"), "low", 10);
        let (alert_id, seq) = (alert.event_id, self.store.size().await.unwrap());
        self.store.ingest(vec![alert]).await.unwrap();
        let letter = || f.dead_letter(id, "webhooks", seq, alert_id).caused_by(alert_id);
        self.step("webhooks", seq, vec![letter()], vec![]).await;
        if n > 0 {
            self.store.request_replay(id, "ana").await.unwrap();
        }
        let replayed = match n {
            2 => vec![],
            3 => vec![by("webhooks", letter())],
            _ => return,
        };
        self.store.step(Step::new("webhooks", Progress::Replay { id }, replayed)).await.unwrap();
    }

    /// Erases a transaction, everything about one alert, a log and an open answer.
    async fn erase(&self) {
        let needles = ["\"tx-7\"", "\"a-5\"", "compliance-a-5", "\"a-6\""].map(str::to_owned);
        let ids = ["log-2", "open-2"].map(|name| format!("\"{}\"", log_id(name)));
        let needles: Vec<_> = needles.into_iter().chain(ids).collect();
        let events = self.store.events(EventQuery { limit: 1_000, ..Default::default() }).await.unwrap();
        let is_about = |event: &&StoredEvent| {
            let payload = event.payload.as_ref().unwrap().get();
            needles.iter().any(|needle| payload.contains(needle))
        };
        let seqs: Vec<_> = events.iter().filter(is_about).map(|event| event.seq).collect();
        assert!(seqs.len() >= 8, "{seqs:?}");
        self.store.erase(seqs, "asked for", "ana").await.unwrap();
    }
}

fn at(seq: u64) -> EventQuery {
    EventQuery { from_seq: seq, limit: 1, ..Default::default() }
}

fn by(agent: &'static str, mut event: NewEvent) -> NewEvent {
    event.producer = agent.into();
    event
}
