//! The minimum role for every route, in one table. Routes that are not in the table are refused.

use axum::http::Method;
use countersign_domain::{
    Role,
    access::RequiredRole::{self, Open, SendWork},
};

const VIEWER: RequiredRole = RequiredRole::Role(Role::Viewer);
const INVESTIGATOR: RequiredRole = RequiredRole::Role(Role::Investigator);
const REVIEWER: RequiredRole = RequiredRole::Role(Role::Reviewer);
const ADMIN: RequiredRole = RequiredRole::Role(Role::Admin);

/// The path where a browser signs in and out.
pub(crate) const SESSION: &str = "/api/session";

/// Every method of every route pattern, with the minimum role of its callers. `HEAD` is allowed where `GET` is.
pub const TABLE: &[(&str, &[(Method, RequiredRole)])] = &[
    ("/", &[(Method::GET, Open)]),
    ("/agents", &[(Method::GET, Open)]),
    ("/api/agents", &[(Method::GET, VIEWER)]),
    ("/api/agents/{name}/pause", &[(Method::POST, ADMIN)]),
    ("/api/agents/{name}/resume", &[(Method::POST, ADMIN)]),
    ("/api/alerts", &[(Method::GET, VIEWER), (Method::POST, SendWork)]),
    ("/api/alerts/{id}", &[(Method::GET, VIEWER)]),
    ("/api/audit", &[(Method::POST, SendWork)]),
    ("/api/config", &[(Method::GET, ADMIN)]),
    ("/api/dead-letters", &[(Method::GET, VIEWER)]),
    ("/api/dead-letters/{id}/replay", &[(Method::POST, ADMIN)]),
    ("/api/docs", &[(Method::GET, VIEWER)]),
    ("/api/docs.css", &[(Method::GET, Open)]),
    ("/api/events", &[(Method::GET, VIEWER)]),
    ("/api/events/{id}", &[(Method::GET, VIEWER)]),
    ("/api/events/{id}/chain", &[(Method::GET, VIEWER)]),
    ("/api/investigations", &[(Method::GET, VIEWER)]),
    ("/api/investigations/{id}", &[(Method::GET, VIEWER)]),
    ("/api/investigations/{id}/assign", &[(Method::POST, INVESTIGATOR)]),
    ("/api/investigations/{id}/supervisor-review", &[(Method::POST, INVESTIGATOR)]),
    ("/api/keys", &[(Method::GET, ADMIN), (Method::POST, ADMIN)]),
    ("/api/keys/{id}", &[(Method::DELETE, ADMIN)]),
    ("/api/ledger/checkpoint", &[(Method::GET, VIEWER)]),
    ("/api/ledger/consistency", &[(Method::GET, VIEWER)]),
    ("/api/ledger/inclusion", &[(Method::GET, VIEWER)]),
    ("/api/ledger/key", &[(Method::GET, VIEWER)]),
    ("/api/ledger/leaf/{index}", &[(Method::GET, VIEWER)]),
    ("/api/ledger/leaves", &[(Method::GET, VIEWER)]),
    ("/api/ledger/witnesses", &[(Method::GET, VIEWER)]),
    ("/api/live", &[(Method::GET, VIEWER)]),
    ("/api/logs", &[(Method::GET, VIEWER)]),
    ("/api/logs/stats", &[(Method::GET, VIEWER)]),
    ("/api/logs/{id}", &[(Method::GET, VIEWER)]),
    ("/api/openapi.json", &[(Method::GET, VIEWER)]),
    ("/api/providers", &[(Method::GET, VIEWER)]),
    ("/api/reports", &[(Method::GET, VIEWER), (Method::POST, INVESTIGATOR)]),
    ("/api/reports/{id}", &[(Method::GET, VIEWER)]),
    ("/api/reports/{id}/addenda", &[(Method::GET, VIEWER), (Method::POST, REVIEWER)]),
    ("/api/reports/{id}/export", &[(Method::GET, VIEWER)]),
    ("/api/reports/{id}/facts", &[(Method::GET, VIEWER)]),
    ("/api/reports/{id}/reviews", &[(Method::POST, REVIEWER)]),
    ("/api/reports/{id}/reviews/preview", &[(Method::POST, REVIEWER)]),
    ("/api/reports/{id}/validations", &[(Method::GET, VIEWER)]),
    ("/api/reports/{id}/versions", &[(Method::GET, VIEWER)]),
    ("/api/reviews", &[(Method::GET, VIEWER)]),
    ("/api/rules", &[(Method::GET, VIEWER)]),
    ("/api/session", &[(Method::GET, Open), (Method::POST, Open), (Method::DELETE, Open)]),
    ("/api/transactions", &[(Method::GET, VIEWER), (Method::POST, SendWork)]),
    ("/assets/{*path}", &[(Method::GET, Open)]),
    ("/favicon.svg", &[(Method::GET, Open)]),
    ("/health", &[(Method::GET, Open)]),
    ("/investigations", &[(Method::GET, Open)]),
    ("/investigations/{id}", &[(Method::GET, Open)]),
    ("/ledger", &[(Method::GET, Open)]),
    ("/ledger/{id}", &[(Method::GET, Open)]),
    ("/metrics", &[(Method::GET, VIEWER)]),
    ("/process-agent", &[(Method::POST, SendWork)]),
    ("/ready", &[(Method::GET, Open)]),
    ("/reports/{id}", &[(Method::GET, Open)]),
    ("/settings", &[(Method::GET, Open)]),
    ("/v1/chat/completions", &[(Method::POST, SendWork)]),
    ("/v1/models", &[(Method::GET, SendWork)]),
];

/// A row of the table, for the pattern that the router matched.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Route {
    pub(crate) pattern: &'static str,
    methods: &'static [(Method, RequiredRole)],
}

impl Route {
    pub(crate) fn find(pattern: &str) -> Option<Self> {
        let row = TABLE.binary_search_by_key(&pattern, |(pattern, _)| pattern).ok().and_then(|at| TABLE.get(at));
        row.map(|(pattern, methods)| Self { pattern, methods })
    }

    pub(crate) fn required_role(&self, method: &Method) -> Option<RequiredRole> {
        let method = if *method == Method::HEAD { &Method::GET } else { method };
        self.methods.iter().find(|(listed, _)| listed == method).map(|(_, role)| *role)
    }

    /// Whether the route has a time limit of its own, because a model may take longer than the usual limit.
    pub(crate) fn has_own_time_limit(&self) -> bool {
        matches!(self.pattern, "/process-agent" | "/v1/chat/completions" | "/v1/models")
    }

    /// Whether responses contain customer records, which are masked for callers who may not read them.
    pub(crate) fn shows_records(&self) -> bool {
        const RECORDS: [&str; 6] = [
            "/api/alerts",
            "/api/events",
            "/api/investigations",
            "/api/reports/{id}/addenda",
            "/api/reviews",
            "/api/transactions",
        ];
        let is_under = |path: &str| {
            self.pattern.strip_prefix(path).is_some_and(|rest| matches!(rest, "") || rest.starts_with('/'))
        };
        RECORDS.into_iter().any(is_under)
    }

    /// Whether this is a health probe, which is answered under any load.
    pub(crate) fn is_probe(&self) -> bool {
        matches!(self.pattern, "/health" | "/ready")
    }

    /// Responses with secrets are not compressed, because their length would reveal something about the secret. Neither are
    /// responses that must be passed on unchanged.
    pub(crate) fn may_be_compressed(&self) -> bool {
        !matches!(
            self.pattern,
            "/api/session"
                | "/api/keys"
                | "/api/keys/{id}"
                | "/api/config"
                | "/v1/chat/completions"
                | "/v1/models"
                | "/api/live"
        )
    }

    /// The value of an `Allow` header.
    pub(crate) fn allow(&self) -> String {
        let mut allow: Vec<&str> = self.methods.iter().map(|(method, _)| method.as_str()).collect();
        if allow.contains(&"GET") {
            allow.push("HEAD");
        }
        allow.join(", ")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_is_sorted_so_that_every_row_is_found() {
        assert!(TABLE.is_sorted_by_key(|(pattern, _)| pattern));
        for (pattern, methods) in TABLE {
            let route = Route::find(pattern).unwrap();
            assert_eq!((route.pattern, route.required_role(&methods[0].0)), (*pattern, Some(methods[0].1)));
        }
    }

    #[test]
    fn a_route_that_is_not_listed_is_not_found() {
        assert!(Route::find("/api/secrets").is_none());
        assert!(Route::find("").is_none());
        let keys = Route::find("/api/keys").unwrap();
        assert_eq!((keys.required_role(&Method::PUT), keys.allow().as_str()), (None, "GET, POST, HEAD"));
        assert_eq!(keys.required_role(&Method::HEAD), keys.required_role(&Method::GET));
    }
}
