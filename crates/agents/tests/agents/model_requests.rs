//! Recognises the purpose of a request to a model by the first words of its template, and builds a working model's replies.

use countersign_domain::Section;
use countersign_fake_provider::{Api, Behaviour, Received};

pub(crate) const ASSESSMENT: &str = r#"{"issues": [], "feedback": "Sound.", "justification_strength": "strong"}"#;

/// The section that a request asks for. `None` for the supervisor's requests.
pub(crate) fn section_of(received: &Received) -> Option<Section> {
    let openings = [
        (Some(Section::ExecutiveSummary), "analyst writing an executive summary."),
        (Some(Section::FraudExplanation), "analyst explaining fraud detection findings."),
        (Some(Section::InvestigationNarrative), "analyst writing an investigation narrative for"),
        (Some(Section::TimelineNarrative), "analyst writing the timeline of events."),
        (Some(Section::RiskJustification), "analyst justifying a risk assessment."),
        (None, "quality assurance supervisor validating"),
    ];
    let body = String::from_utf8_lossy(&received.body);
    openings.into_iter().find(|(_, opening)| body.contains(opening)).expect("a template's opening").0
}

/// A JSON reply in the form of the provider's API.
pub(crate) fn json_reply(received: &Received, json: &str) -> Behaviour {
    match received.api {
        Api::Anthropic => Behaviour::ToolCall { name: "assessment".into(), arguments: json.into() },
        Api::OpenAi | Api::Gemini => Behaviour::Text(json.into()),
    }
}
