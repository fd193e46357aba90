//! Alerts of a made-up partner bank: with evidence in its own format, with no evidence, with a severity that disagrees with the
//! score, and with a report in which the simulated writer makes a chosen mistake.
//!
//! The simulated writer derives its mistakes from the alert's id, so we search for an id that leads to the mistake we want. That
//! way, every kind of outcome appears soon after the start, whatever the seed.

use countersign_agents::{Mistake, PlannedMistake, planned_mistake};
use countersign_domain::{Alert, AlertId, UserId};
use serde_json::{Value, json};

/// The maximum number of ids to try. A suitable one is usually among the first few hundred.
const IDS_MAX: u32 = 20_000;
const SOURCE: &str = "simulated partner bank of the demo";

/// One case that the partner's alerts demonstrate.
struct Scene {
    name: &'static str,
    severity: &'static str,
    score: u8,
    /// The mistake in its report, and the number of texts that contain it. `None` for a report without a mistake.
    wanted: Option<(Mistake, u32)>,
    signals: fn() -> Value,
}

const SCENES: [Scene; 7] = [
    Scene { name: "crash", severity: "high", score: 71, wanted: Some((Mistake::Crash, 1)), signals: chargebacks },
    Scene { name: "thin", severity: "high", score: 68, wanted: Some((Mistake::Thin, 3)), signals: mule_network },
    Scene { name: "no-evidence", severity: "high", score: 64, wanted: None, signals: nothing },
    Scene { name: "mismatch", severity: "critical", score: 55, wanted: None, signals: chargebacks },
    Scene {
        name: "corrected",
        severity: "medium",
        score: 52,
        wanted: Some((Mistake::ChangedFigure, 1)),
        signals: mule_network,
    },
    Scene {
        name: "persists",
        severity: "high",
        score: 66,
        wanted: Some((Mistake::SwappedFigures, 3)),
        signals: device,
    },
    Scene { name: "short", severity: "medium", score: 48, wanted: Some((Mistake::TooShort, 1)), signals: device },
];

fn nothing() -> Value {
    json!({})
}

fn chargebacks() -> Value {
    json!({"chargeback_ratio": {"value": 4.2, "threshold": 1.0, "unit": "percent", "chargebacks_30d": 9}})
}

fn mule_network() -> Value {
    json!({"mule_network": {"linked_accounts": 6, "hops": 2, "score": 0.83}})
}

fn device() -> Value {
    json!({"device_reputation": {"value": 0.91, "threshold": 0.75, "unit": "risk score"}})
}

/// One alert for every scene, about these customers.
pub(super) fn all<'a>(run_id: &str, customers: impl Iterator<Item = &'a UserId>) -> Vec<Alert> {
    SCENES.iter().zip(customers).filter_map(|(scene, customer)| scene.alert(run_id, customer)).collect()
}

/// The `number`th alert after those of [`all`].
pub(super) fn next(run_id: &str, number: usize, customer: &UserId) -> Option<Alert> {
    SCENES[number % SCENES.len()].alert(run_id, customer)
}

impl Scene {
    fn alert(&self, run_id: &str, customer: &UserId) -> Option<Alert> {
        let alert = json!({
            "alert_id": self.id(run_id)?, "user_id": customer, "severity": self.severity, "score": self.score,
            "metadata": {"signals": (self.signals)(), "source": SOURCE},
        });
        serde_json::from_value::<Alert>(alert).ok()?.validated().ok()
    }

    fn id(&self, run_id: &str) -> Option<AlertId> {
        let ids = (0..IDS_MAX).filter_map(|number| format!("demo-{}-{run_id}-{number}", self.name).parse().ok());
        let is_wanted = |planned: Option<PlannedMistake>| match (self.wanted, planned) {
            (None, None) => true,
            (Some((Mistake::Crash, _)), Some(planned)) => planned.mistake == Mistake::Crash,
            (Some(wanted), Some(planned)) => wanted == (planned.mistake, planned.texts),
            _ => false,
        };
        ids.into_iter().find(|id: &AlertId| is_wanted(planned_mistake(id)))
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn every_scene_has_an_alert_that_the_api_accepts_and_that_says_it_is_simulated() {
        let customers: Vec<UserId> = (0..9).map(|n| format!("user-{n}").parse().unwrap()).collect();
        for run_id in ["0001", "ffff"] {
            let alerts = all(run_id, customers.iter());
            assert_eq!(alerts.len(), SCENES.len());
            for (alert, scene) in alerts.iter().zip(&SCENES) {
                assert!(alert.metadata.more["source"].as_str().unwrap().contains("simulated"));
                assert_eq!(
                    planned_mistake(&alert.alert_id).map(|planned| planned.mistake),
                    scene.wanted.map(|(mistake, _)| mistake)
                );
            }
            let ids: BTreeSet<&str> = alerts.iter().map(|alert| alert.alert_id.as_str()).collect();
            assert_eq!(ids.len(), SCENES.len());
        }
    }
}
