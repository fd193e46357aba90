// Generated from the OpenAPI document by `make types`. Do not edit.

export interface paths {
    "/": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Open the dashboard */
        get: operations["get"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/agents": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List agents */
        get: operations["get_api_agents"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/agents/{name}/pause": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Pause an agent
         * @description The agent finishes the events that it is processing and starts no others until it is resumed, even after a restart.
         */
        post: operations["post_api_agents_name_pause"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/agents/{name}/resume": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Resume an agent */
        post: operations["post_api_agents_name_resume"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/alerts": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List alerts, newest first */
        get: operations["get_api_alerts"];
        put?: never;
        /**
         * Send an alert
         * @description An alert is stored exactly once by its `alert_id`; sending it again changes nothing. The response is sent once the alert is
         *     on disk. The severity is not checked against the score.
         */
        post: operations["post_api_alerts"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/alerts/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Show an alert */
        get: operations["get_api_alerts_id"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/audit": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Inspect a text
         * @description Returns the findings of the built-in inspectors and the scores. Nothing is stored unless `store` is true.
         */
        post: operations["post_api_audit"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/config": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Show the configuration
         * @description Returns every setting with its value and the source of the value. Secrets are masked.
         */
        get: operations["get_api_config"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/dead-letters": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List dead letters, newest first */
        get: operations["get_api_dead_letters"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/dead-letters/{id}/replay": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Replay a dead letter
         * @description The agent processes the event again.
         */
        post: operations["post_api_dead_letters_id_replay"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/docs": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Read this documentation as a page */
        get: operations["get_api_docs"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/docs.css": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get the style sheet of the documentation */
        get: operations["get_api_docs_css"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List events, oldest first */
        get: operations["get_api_events"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/events/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Show an event */
        get: operations["get_api_events_id"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/events/{id}/chain": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Show the chain of an event
         * @description Returns all events of the same investigation or request, and their causes outside of it.
         */
        get: operations["get_api_events_id_chain"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/investigations": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List investigations, newest first */
        get: operations["get_api_investigations"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/investigations/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Show an investigation
         * @description Returns the investigation with its alert, transaction, reports, decisions, anomalies and events.
         */
        get: operations["get_api_investigations_id"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/investigations/{id}/assign": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Assign an investigation */
        post: operations["post_api_investigations_id_assign"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/investigations/{id}/supervisor-review": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Request a supervisor review
         * @description The supervisor checks the current report again. From then on, the investigation waits for a reviewer.
         */
        post: operations["post_api_investigations_id_supervisor_review"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/keys": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List keys, newest first */
        get: operations["get_api_keys"];
        put?: never;
        /** Create a key */
        post: operations["post_api_keys"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/keys/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Revoke a key
         * @description The key is invalid from the moment of the response. Revoking it again changes nothing.
         */
        delete: operations["delete_api_keys_id"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/ledger/checkpoint": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the newest checkpoint
         * @description Returns a C2SP signed note: the tree's origin, size and root, with an Ed25519 signature and the cosignatures of witnesses.
         */
        get: operations["get_api_ledger_checkpoint"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/ledger/consistency": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Prove that the log has only grown
         * @description Returns a consistency proof. Verify it as in RFC 6962, section 2.1.2: the tree of `from` events is the beginning of the tree of
         *     `to` events.
         */
        get: operations["get_api_ledger_consistency"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/ledger/inclusion": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Prove that an event is in the log
         * @description Returns an inclusion proof. Verify it as in RFC 6962, section 2.1.1, against the root of the tree of `size` events.
         */
        get: operations["get_api_ledger_inclusion"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/ledger/key": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the public key
         * @description Returns the key that verifies checkpoints: `<name>+<key id>+<base64>`.
         */
        get: operations["get_api_ledger_key"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/ledger/leaf/{index}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the leaf of an event
         * @description Returns the leaf and the body that it commits to. That proves that the payload belongs to the leaf; an inclusion proof shows
         *     that the leaf is in the log.
         */
        get: operations["get_api_ledger_leaf_index"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/ledger/leaves": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List leaves, oldest first
         * @description The leaves are enough to recompute the root of any checkpoint.
         */
        get: operations["get_api_ledger_leaves"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/ledger/witnesses": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the witnesses of the log
         * @description Their cosignatures are in the newest checkpoint, each on a line after the log's signature.
         */
        get: operations["get_api_ledger_witnesses"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/live": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Follow the log
         * @description Opens a WebSocket with one JSON message per event: `{"type", "cursor", "event_type", "data"}`. `data` is the current row that
         *     lists show for the event, or the event's payload if no list has a row for it. Messages after the cursor come first, then new
         *     ones. Without `after`, the connection starts at the current end with a message of type `cursor`. A client that is too far
         *     behind, or whose cursor belongs to another log, gets `resync` with a new cursor.
         *     Types: `log`, `alert`, `report`, `validation`, `review`, `investigation`, `agent`, `ledger`, `cursor`, `resync`.
         */
        get: operations["get_api_live"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/logs": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List audit logs, newest first
         * @description All filters can be combined. `q` finds logs whose query and response contain all of its words. A search that runs out of
         *     time sets `partial`, and `next` continues it.
         */
        get: operations["get_api_logs"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/logs/stats": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get statistics of audit logs
         * @description Returns counts by status and by score, the average risk and, with `bucket`, their trend over time. The filters are those of
         *     the list. Without `q`, all figures are exact and erased logs are counted. With `q`, erased logs are not counted, and the
         *     figures are exact unless `partial` is set: then only the newest logs are counted.
         */
        get: operations["get_api_logs_stats"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/logs/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Show an audit log
         * @description Until the audit is finished, `status` is `Pending`. If there was no answer, `status` and `detail` say why.
         */
        get: operations["get_api_logs_id"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/openapi.json": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get the OpenAPI document */
        get: operations["get_api_openapi_json"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/providers": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List providers
         * @description Returns the providers that can be called, with calls and failures since the start, tokens and cost of today, and the circuit
         *     breaker of each model.
         */
        get: operations["get_api_providers"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/reports": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List reports, newest first
         * @description Lists the current version of each report.
         */
        get: operations["get_api_reports"];
        put?: never;
        /**
         * Request a report
         * @description The reporter writes the report, and `/api/live` announces it. If a report of this type already exists, it is returned.
         */
        post: operations["post_api_reports"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/reports/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Show a report
         * @description Returns the report exactly as it is stored, with its hash, its position in the log and its state.
         */
        get: operations["get_api_reports_id"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/reports/{id}/addenda": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List a report's addenda, oldest first
         * @description Includes addenda to earlier versions of the report.
         */
        get: operations["get_api_reports_id_addenda"];
        put?: never;
        /**
         * Add an addendum to a report
         * @description The text is recorded unchanged, with its author, and shown in a separate section below the report. It can't be changed
         *     afterwards, and it doesn't affect the state of the case.
         */
        post: operations["post_api_reports_id_addenda"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/reports/{id}/export": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Export a report
         * @description `md` and `json` are returned as files; `html` is a page to read and to print. The JSON is exactly what is stored: its SHA-256
         *     is the report's `content_hash`. Addenda, if there are any, follow in a separate section; in JSON they are an additional last
         *     member, `addenda`.
         */
        get: operations["get_api_reports_id_export"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/reports/{id}/facts": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Show the evidence for a report
         * @description Returns the source of each figure, and the facts that support each sentence.
         */
        get: operations["get_api_reports_id_facts"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/reports/{id}/reviews": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Review a report
         * @description `approve` and `send_back` require that this report is in review, whatever the state of other reports of its investigation.
         *     `dispose` closes the investigation with all its reports, for good. If several reviewers decide at the same time, one succeeds.
         *
         *     Four-eyes review applies to both closing decisions, for callers with a key: a person who posted the alert, or requested
         *     the report or an earlier version of it, can't `approve` the report; a person who posted the alert, or requested any report of the
         *     investigation that is in review, can't `dispose` it.
         *
         *     The response to `send_back` says in `revision` what the writer will change. The built-in writer acts on comments that it
         *     understands. If it can't act on any part of the comment, the decision is recorded, but no new version is written and the
         *     investigation stays in review.
         */
        post: operations["post_api_reports_id_reviews"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/reports/{id}/reviews/preview": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Preview sending a report back
         * @description Says what the writer would change in response to a comment, and which parts of the comment it can't act on. Nothing is recorded.
         */
        post: operations["post_api_reports_id_reviews_preview"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/reports/{id}/validations": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the supervisor's verdicts on a report, newest first */
        get: operations["get_api_reports_id_validations"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/reports/{id}/versions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the versions of a report, newest first */
        get: operations["get_api_reports_id_versions"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/reviews": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List reviews, newest first
         * @description Lists open or decided reviews, one row for each report in review: an investigation with two such reports is listed twice. An
         *     investigation in review without a report is listed once.
         */
        get: operations["get_api_reviews"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/rules": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the detection rules in force */
        get: operations["get_api_rules"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/session": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Show the session
         * @description Needs no key. The dashboard calls this first, to find out whether the user must sign in.
         */
        get: operations["get_api_session"];
        put?: never;
        /**
         * Sign in
         * @description Exchanges a key for a cookie: `HttpOnly`, `SameSite=Strict`, valid for twelve hours, or two hours without use. The session ends
         *     when its key becomes invalid or the server is restarted. Requests with the cookie that change something must carry
         *     `x-countersign-csrf`.
         */
        post: operations["post_api_session"];
        /**
         * Sign out
         * @description The session has ended by the time of the response. Without a session, nothing happens.
         */
        delete: operations["delete_api_session"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/transactions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List transactions, newest first
         * @description Lists transactions in order of arrival. A customer's transactions are listed once the detector has assessed them.
         */
        get: operations["get_api_transactions"];
        put?: never;
        /**
         * Send transactions
         * @description Accepts one object or an array. A transaction is stored exactly once by its `transaction_id`; sending it again changes nothing.
         *     In an array, invalid rows are reported and the others are stored. A row is also invalid if its id already exists with
         *     different content. The response is sent once all accepted transactions are on disk.
         */
        post: operations["post_api_transactions"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/health": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Liveness probe
         * @description Needs no key. It is answered under any load, even if all connections are in use, and without waiting for the store. 503 means
         *     that the store can't be read or written; a restart may help. Use `/ready` to decide whether the server should get traffic.
         */
        get: operations["get_health"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/metrics": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get metrics for Prometheus
         * @description Returns the OpenMetrics text format.
         */
        get: operations["get_metrics"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/process-agent": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Ask the worker, and have its answer audited
         * @description The answer is returned only when it and its audit are on disk. If the worker fails even after retries, the response is 500,
         *     and the record says that there is no answer. If the auditor fails, the answer is at least a `Warning`.
         *
         *     For 24 hours, requests with the same `Idempotency-Key` header return the first result.
         */
        post: operations["post_process_agent"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/ready": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Readiness probe
         * @description Needs no key, and is answered under any load, like `/health`. While it returns 503, a load balancer should send requests
         *     elsewhere: the server is stopping or overloaded, its store is slow or can't be written, or an agent is stuck.
         */
        get: operations["get_ready"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/chat/completions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Create a chat completion
         * @description Accepts requests in OpenAI's format, including requests for streams, and records and audits the answers. A model without a
         *     provider goes to the worker's provider, and `provider/model` goes to the named provider. Unknown fields are passed through
         *     unchanged, unless an enforced policy masks or removes them. The response header `x-countersign-log-id` is the id of the record,
         *     and `x-countersign-status` its verdict: `Safe`, `Warning`, `Flagged`, or `Pending` until the audit is finished.
         */
        post: operations["post_v1_chat_completions"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/models": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List models
         * @description Returns the models of the worker's provider.
         */
        get: operations["get_v1_models"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        /** @description A reviewer's note about a report. It is not checked against the facts. */
        Addendum: {
            added_at: components["schemas"]["Time"];
            /** @description The id of the key, or `local`. */
            added_by: string;
            /** @description The name of the key at that time. */
            added_by_name?: string | null;
            /** @description The id of its event. */
            addendum_id: components["schemas"]["EventId"];
            investigation_id: components["schemas"]["InvestigationId"];
            report_id: string;
            role: components["schemas"]["Role"];
            /** Format: int64 */
            seq: number;
            text: string;
            /** @description SHA-256 of the text, in hex, as recorded in its event. */
            text_sha256: string;
            /**
             * Format: int32
             * @description The version of the report that it was added to.
             */
            version: number;
        };
        AgentHealth: {
            heartbeat_at: components["schemas"]["Time"];
            /** Format: int64 */
            lag: number;
            paused: boolean;
            state: components["schemas"]["AgentState"];
        };
        /** @description One minute of an agent. */
        AgentMinute: {
            /** @description When the minute began. */
            at: components["schemas"]["Time"];
            /**
             * Format: int64
             * @description Attempts that failed in this minute.
             */
            failed: number;
            /**
             * Format: int64
             * @description The lag at the end of this minute; for the current minute, the lag now.
             */
            lag: number;
            /**
             * Format: int64
             * @description Events that were finished in this minute.
             */
            processed: number;
        };
        /** @enum {string} */
        AgentState: "INIT" | "LISTEN" | "ANALYZE" | "EMIT" | "IDLE";
        AgentStatus: {
            /** Format: int64 */
            dead_lettered: number;
            /**
             * Format: int64
             * @description Failed attempts to handle events, and failures of the store.
             */
            failed: number;
            heartbeat_at: components["schemas"]["Time"];
            /** @description The last hour, minute by minute, oldest first; shorter if the process is younger. The last entry is the current minute. */
            history: components["schemas"]["AgentMinute"][];
            /**
             * Format: int64
             * @description Events that the agent is deciding on now. Those that are being committed or wait for a retry are not counted.
             */
            in_flight: number;
            /**
             * Format: int64
             * @description Events that the agent still has to read or to finish, up to the newest one of a type it subscribes to.
             */
            lag: number;
            last_error?: string | null;
            name: string;
            paused: boolean;
            /**
             * Format: int64
             * @description Agents with a higher priority are started first.
             */
            priority: number;
            /** Format: int64 */
            processed: number;
            /**
             * Format: double
             * @description Events finished per minute, averaged over the last five minutes.
             */
            rate_per_minute: number;
            started_at: components["schemas"]["Time"];
            state: components["schemas"]["AgentState"];
        };
        Alert: {
            alert_id: components["schemas"]["AlertId"];
            metadata?: components["schemas"]["AlertMetadata"];
            score: components["schemas"]["Score"];
            severity: components["schemas"]["Severity"];
            user_id: components["schemas"]["UserId"];
        };
        AlertDetail: components["schemas"]["AlertRow"] & {
            /** @description The current versions of its reports, newest first. */
            report_ids: string[];
        };
        AlertId: string;
        AlertMetadata: Record<string, unknown> & {
            /** @description `amount_deviation`, `velocity_anomaly`, `geographic_inconsistency`, `rule_flags`; open JSON. */
            signals?: Record<string, unknown>;
            transaction_id?: components["schemas"]["TransactionId"] | null;
        };
        /** @description An alert in a list. */
        AlertRow: components["schemas"]["Alert"] & components["schemas"]["AlertStanding"];
        /** @description What the server knows about an alert, besides its own fields. */
        AlertStanding: {
            created_at: components["schemas"]["Time"];
            event_id: components["schemas"]["EventId"];
            investigation_id?: components["schemas"]["InvestigationId"] | null;
            /** Format: int64 */
            seq: number;
            /**
             * @description Who raised the alert: the built-in `detector`, or an `external` one.
             * @example detector
             */
            source: string;
            /** @description `recorded` for alerts of low severity, which are not investigated. */
            status: components["schemas"]["AlertState"];
        };
        /**
         * @description The state of an alert. Alerts of low severity stay `recorded`.
         * @enum {string}
         */
        AlertState: "recorded" | "open" | "reported" | "closed";
        AlertTaken: {
            alert_id: components["schemas"]["AlertId"];
        };
        Anomaly: {
            /** @example alert_burst */
            anomaly: string;
            description: string;
            event_id: components["schemas"]["EventId"];
            flagged_at: components["schemas"]["Time"];
            severity: components["schemas"]["Level"];
        };
        /** @description An answer with its audit. */
        Answered: {
            audit: components["schemas"]["Audit"];
            created_at: components["schemas"]["Time"];
            /** Format: uuid */
            log_id: string;
            query: string;
            status: components["schemas"]["RiskStatus"];
            /** @example The capital of France is Paris. */
            worker_response: string;
        };
        /** @description An audit log, or an exchange without a finished audit, which has no `audit`. */
        AnyLog: components["schemas"]["Log"] | components["schemas"]["OpenLog"];
        Assignment: {
            /**
             * @description The assignee; `null` unassigns the investigation.
             * @example Ana
             */
            to: string | null;
        };
        /** @description An audit as it is stored and shown */
        Audit: {
            auditor: components["schemas"]["AuditedBy"];
            /**
             * Format: double
             * @description From 0 to 1.
             */
            confidence: number;
            /** @description What was found, and how the score is made up, for people to read. */
            details: string;
            findings: components["schemas"]["AuditFinding"][];
            hallucination_detected: boolean;
            /** @description The version of the inspectors. */
            inspectors: string;
            judge?: components["schemas"]["Judge"] | null;
            /** @description The auditor model, or `builtin` if only the inspectors judged. */
            model: string;
            pii_detected: boolean;
            prompt_injection_detected: boolean;
            /** @description Personal data in the query, apart from the answer's findings: it does not count in `risk_score`. */
            query_findings?: components["schemas"]["AuditFinding"][];
            query_pii_detected?: boolean;
            /** @description How risky the personal data in the query is by itself. */
            query_risk_score?: components["schemas"]["RiskScore"];
            risk_score: components["schemas"]["RiskScore"];
            timestamp: components["schemas"]["Time"];
            toxic_content_detected: boolean;
            /** @description Why a policy withheld the answer, if one did: `flagged` or `unaudited`. */
            withheld?: string | null;
        };
        /** @description Something in an answer, or in its query, that an inspector or the auditor model points at */
        AuditFinding: {
            detector: string;
            /** @description Exclusive. */
            end: number;
            explanation: string;
            /** @example query */
            in?: string | null;
            kind: components["schemas"]["Kind"];
            /** @description Whether the words were masked before the answer was released. */
            masked?: boolean;
            /**
             * @description A name, place, organisation, date or the like that identifies nobody. It does not count in the score and never sets
             *     `pii_detected`.
             */
            mention?: boolean;
            /**
             * Format: double
             * @description Risk from 0 to 1. From 0.5 on, an inspector counts the finding.
             */
            score: number;
            severity: components["schemas"]["Level"];
            /** @description In code points of the response, or of the query if `in` says so. */
            start: number;
            /** @example EMAIL */
            type: string;
        };
        /**
         * @description Who judged the answer besides the inspectors, which always do.
         * @enum {string}
         */
        AuditedBy: "model" | "builtin" | "failed";
        /** @description The customer's earlier transactions in the transaction's currency. */
        BaselineSize: {
            /**
             * Format: int64
             * @description Whole days from the last of these transactions to the transaction in question.
             */
            days_since_last?: number | null;
            /** Format: int64 */
            transactions: number;
        };
        ByStatus: {
            /** Format: int64 */
            Flagged: number;
            /** Format: int64 */
            Safe: number;
            /** Format: int64 */
            Warning: number;
        };
        /** @description A part of a comment that the built-in writer can't act on. */
        CannotAct: {
            /** @description The beginning of that part, in the reviewer's words. */
            part: string;
            reason: string;
        };
        Chain: {
            /** @description Oldest first. */
            items: components["schemas"]["StoredEvent"][];
            /** @description The oldest event of the chain. */
            root: components["schemas"]["EventId"];
            /** @description Whether the chain has more events than are returned. */
            truncated: boolean;
        };
        /** @enum {string} */
        Channel: "card_present" | "card_not_present" | "transfer" | "atm" | "other";
        Consistency: {
            /** Format: int64 */
            from: number;
            proof: string[];
            root_from: string;
            root_to: string;
            /** Format: int64 */
            to: number;
        };
        /** @enum {string} */
        Contradiction: "below_threshold" | "clear_beyond_threshold" | "amount_not_above_median" | "travel_without_location" | "points_exceed_score";
        ContradictorySignal: {
            contradiction: components["schemas"]["Contradiction"];
            signal: string;
        };
        /**
         * Format: uuid
         * @description One investigation or one request, from end to end.
         */
        CorrelationId: string;
        CreatedKey: components["schemas"]["Key"] & {
            /**
             * @description The key itself. It is not stored, so it can't be shown again.
             * @example cs_abcdefgh2345_...
             */
            key: string;
        };
        DeadLetter: {
            agent: string;
            /** Format: int32 */
            attempts: number;
            dead_lettered_at: components["schemas"]["Time"];
            /** @description Why the last attempt failed. */
            error: string;
            event_id: components["schemas"]["EventId"];
            /** Format: int64 */
            event_seq: number;
            event_type: string;
            id: components["schemas"]["DeadLetterId"];
            /**
             * @description `dead`, `replaying` or `replayed`.
             * @example dead
             */
            state: string;
        };
        /** Format: uuid */
        DeadLetterId: string;
        /** @enum {string} */
        Decision: "approve" | "send_back" | "dispose";
        /** @description Points that were deducted, and the reason. */
        Deduction: {
            /** Format: int32 */
            points: number;
            /** @description The fault and its subject, such as `missing_section executive_summary`. */
            reason: string;
            rule: components["schemas"]["Rule"];
        };
        DetectionRule: {
            /** @description What an alert says when the rule applies. */
            message: string;
            name: string;
            /**
             * Format: int32
             * @description The points that the rule adds to the score.
             */
            weight: number;
            /**
             * @description The condition, in CEL.
             * @example amount > 10000.0
             */
            when: string;
        };
        /**
         * @description How a disposed investigation was classified.
         * @enum {string}
         */
        Disposition: "confirmed_fraud" | "false_positive" | "other";
        /** @description The body of an error response on every route that is not under `/v1`. */
        ErrorBody: {
            /**
             * @description What is wrong, and where.
             * @example amount.currency: is not an ISO 4217 currency (line 1, column 82)
             */
            detail: string;
            /**
             * @description A short title, the same for each kind of error.
             * @example Bad request
             */
            error: string;
            /**
             * Format: int32
             * @description The HTTP status.
             * @example 400
             */
            status_code: number;
        };
        /**
         * Format: uuid
         * @description One event of the log.
         */
        EventId: string;
        /** @description A reference to an event. */
        EventName: {
            event_id: components["schemas"]["EventId"];
            event_type: string;
            occurred_at: components["schemas"]["Time"];
            /** Format: int64 */
            seq: number;
        };
        /** @description What was measured about an alert. Names and units from outside are redacted and bounded before they get here. */
        Evidence: {
            baseline?: components["schemas"]["BaselineSize"] | null;
            contradictions?: components["schemas"]["ContradictorySignal"][];
            /** @description Signals that could not be measured for lack of history. */
            insufficient_history?: string[];
            /** @description Names of the rules that held for the transaction on record. */
            rules: string[];
            /** @description Signals at or beyond their threshold, each with value, threshold and unit. */
            signals: components["schemas"]["MeasuredSignal"][];
            transaction_on_record: boolean;
            /** Format: int64 */
            transactions_in_other_currencies?: number;
            /** @description Signals given as a reason without value, threshold and unit. */
            unmeasured?: string[];
        };
        /**
         * @description A row of the table of strengths.
         * @enum {string}
         */
        EvidenceRow: "nothing_measured" | "no_transaction" | "one_rule" | "one_source" | "corroborated";
        /** @description A figure in a text, and its source. */
        Fact: components["schemas"]["TracedFact"] & {
            section: components["schemas"]["Section"];
            /** @description The value at the path in the stored context. */
            value: unknown;
        };
        Facts: {
            /** @description SHA-256 of the context's JSON, in hex. */
            context_sha256: string;
            /** @description Every figure with its source, in the order of the texts. */
            items: components["schemas"]["Fact"][];
            /** @description Every sentence with the facts that support it, in the order of the texts. */
            sentences: components["schemas"]["Sentence"][];
        };
        Health: {
            agents: {
                [key: string]: components["schemas"]["AgentHealth"];
            };
            delivery: string;
            /**
             * @description `ok` or `unavailable`.
             * @example ok
             */
            status: string;
            store: string;
            version: string;
            witnesses: components["schemas"]["WitnessHealth"];
        };
        /** @description A sentence compared with the context. */
        Held: {
            end: number;
            /** @description The most similar passage: its start and end in code points of the context. */
            nearest?: number[] | null;
            /**
             * Format: double
             * @description From 0 (supported) to 1 (unsupported). From 0.5 on, the sentence counts as unsupported.
             */
            score: number;
            /** @description In code points of the text; `end` is exclusive. */
            start: number;
            why: string;
        };
        Inclusion: {
            /** Format: int64 */
            index: number;
            /** @description In hex, like all hashes here. */
            leaf_hash: string;
            /** @description The siblings, from the leaf upwards. */
            proof: string[];
            root: string;
            /** Format: int64 */
            size: number;
        };
        Inspected: {
            /** @description The complete audit, in the form in which an answer's record contains it. */
            audit: components["schemas"]["Audit"];
            findings: components["schemas"]["AuditFinding"][];
            /** @description The id of the audit log, if the audit was stored. */
            log_id?: string | null;
            /** Format: int32 */
            risk_score: number;
            /** @description The risk of each kind of finding, from 0 to 1. From 0.5 on, the text counts as having it. */
            scores: components["schemas"]["Scores"];
            /** @description Each sentence of the text, with the passage that supports it best. Only if a context was given. */
            sentences?: components["schemas"]["Held"][];
            status: components["schemas"]["RiskStatus"];
        };
        /** @description The outcome for the transactions in a request. */
        Intake: {
            /** @description The number of transactions stored by this request. */
            accepted: number;
            /** @description The number of transactions that had been stored before, with the same content. */
            duplicates: number;
            /** @description The transactions that were not stored. */
            rejected: components["schemas"]["Rejected"][];
        };
        /** @description An investigation with everything that belongs to it. */
        Investigation: components["schemas"]["InvestigationRow"] & {
            alert?: components["schemas"]["AlertRow"] | null;
            /** @description Anomalies noted by the supervisor, oldest first. */
            anomalies: components["schemas"]["Anomaly"][];
            /** @description All its events, oldest first, at most 1000. */
            events: components["schemas"]["EventName"][];
            events_truncated: boolean;
            /** @description The current versions of its reports, newest first. */
            reports: components["schemas"]["ReportRow"][];
            /** @description Reviewers' decisions, newest first. */
            reviews: components["schemas"]["ReviewRow"][];
            transaction?: components["schemas"]["TransactionRow"] | null;
        };
        /** Format: uuid */
        InvestigationId: string;
        /** @description An investigation in a list. */
        InvestigationRow: {
            alert_id: components["schemas"]["AlertId"];
            assigned_to?: string | null;
            created_at: components["schemas"]["Time"];
            event_id: components["schemas"]["EventId"];
            investigation_id: components["schemas"]["InvestigationId"];
            /** @description The report that has waited longest for a reviewer; if none is waiting, the newest report. */
            report_id?: string | null;
            risk_score: components["schemas"]["Score"];
            /** Format: int64 */
            seq: number;
            severity: components["schemas"]["Severity"];
            /** @description The signals of the alert, in the alert's own format. `null` if it has none or was erased. */
            signals?: Record<string, unknown> | null;
            status: components["schemas"]["State"];
            transaction_id?: components["schemas"]["TransactionId"] | null;
            user_id: components["schemas"]["UserId"];
        };
        /** @description The call of the auditor model, with everything that is needed to replay its verdict */
        Judge: {
            attempts: number;
            error?: string | null;
            /** @description A random text that enclosed the texts under audit in the prompt. */
            marker: string;
            /** Format: int32 */
            max_tokens: number;
            model: string;
            provider: string;
            raw_reply?: string | null;
            /** @description Whether the model was asked once more, because its first reply was not readable JSON. */
            repaired: boolean;
            /** Format: double */
            temperature: number;
            /** @description The version of the prompt. */
            template: string;
            /** @description The hash of the prompt's text. */
            template_sha256: string;
        };
        /** @description A key without its secret. */
        Key: {
            created_at: components["schemas"]["Time"];
            expires_at?: components["schemas"]["Time"] | null;
            id: components["schemas"]["KeyId"];
            name: string;
            revoked_at?: components["schemas"]["Time"] | null;
            role: components["schemas"]["Role"];
        };
        /** @description The public part of an access key. */
        KeyId: string;
        /**
         * @description What kind of risk a finding is.
         * @enum {string}
         */
        Kind: "pii" | "toxicity" | "injection" | "grounding";
        Leaf: {
            /** @description The leaf's exact text. `leaf_hash` is the SHA-256 of a zero byte and this text. */
            header: string;
            /** Format: int64 */
            index: number;
            leaf_hash: string;
            metadata_json?: string | null;
            /** @description The exact stored text. */
            payload_json?: string | null;
            /**
             * @description In hex. The header's `commitment` is the SHA-256 of the salt's bytes, `payload_json` and `metadata_json`, concatenated. All
             *     three are null if the event was erased.
             */
            salt?: string | null;
        };
        LeafHeader: {
            /** @description The leaf's exact text. Its hash is the SHA-256 of a zero byte and this text. */
            header: string;
            /** Format: int64 */
            index: number;
        };
        Leaves: {
            items: components["schemas"]["LeafHeader"][];
            /**
             * Format: int64
             * @description Pass it as `from` to get the next page; `null` at the end of the log.
             */
            next?: number | null;
        };
        /**
         * @description A request for a longer or shorter section. The section's word range applies in any case.
         * @enum {string}
         */
        Length: "longer" | "shorter";
        /**
         * @description How serious an issue or a regulatory impact is.
         * @enum {string}
         */
        Level: "low" | "medium" | "high";
        /** @description A fact that supports a sentence. */
        Licence: {
            /** @description JSON pointer into the context. */
            path: string;
            /** @description The value at the path in the stored context; null if the sentence states that there is none. */
            value: unknown;
        };
        /** @description Configuration, recorded in each verdict. */
        Limits: {
            /**
             * @default {
             *       "executive_summary": 50,
             *       "fraud_explanation": 100,
             *       "risk_justification": 50,
             *       "timeline_narrative": 50
             *     }
             */
            min_chars: components["schemas"]["MinChars"];
            /**
             * Format: int32
             * @description The lowest score that passes.
             * @default 70
             */
            pass_mark: number;
        };
        /**
         * @description The type of a live message.
         * @enum {string}
         */
        LiveKind: "log" | "alert" | "report" | "validation" | "review" | "investigation" | "agent" | "ledger" | "cursor" | "resync";
        /** @description A message of a live connection. */
        LiveMessage: {
            /** @description Pass it as `after` to resume after this message. */
            cursor: string;
            /**
             * @description The row as lists show it: an audit log, an alert, a report, a validation, a review or an investigation. If no list has a
             *     row for the event, its payload. For a `ledger` message, `{"size", "root", "checkpoint"}`. Null if it was erased.
             */
            data?: Record<string, unknown> | null;
            /**
             * @description The type of the event, if the message is about one.
             * @example AUDIT_LOG_CREATED
             */
            event_type?: string | null;
            type: components["schemas"]["LiveKind"];
        };
        Location: {
            city?: string | null;
            /**
             * @description ISO 3166 alpha-2.
             * @example PT
             */
            country: string;
            /** Format: double */
            lat: number;
            /** Format: double */
            lon: number;
        };
        /** @description An audited answer. */
        Log: {
            audit: components["schemas"]["Audit"];
            created_at: string;
            event_id?: string | null;
            /** Format: uuid */
            id: string;
            query: string;
            response: string;
            /**
             * Format: int64
             * @description Its position in the event log. `/api/ledger/inclusion` takes it as `index`.
             */
            seq?: number | null;
            status: components["schemas"]["RiskStatus"];
            worker?: components["schemas"]["Worker"] | null;
        };
        LogList: {
            items: components["schemas"]["Log"][];
            /** @description Pass it as `after` to get the next page; `null` on the last page. */
            next?: string | null;
            /** @description Whether the search ran out of time. There may be more logs; `next` continues the search. */
            partial: boolean;
        };
        MeasuredSignal: {
            /**
             * Format: int64
             * @description The number of transactions that the signal was compared with, if it is stated.
             */
            baseline_transactions?: number | null;
            name: string;
            /** Format: double */
            threshold: number;
            unit: string;
            /** Format: double */
            value: number;
        };
        /** @description Each section listed here must have more characters than this. */
        MinChars: {
            /** @default 50 */
            executive_summary: number;
            /** @default 100 */
            fraud_explanation: number;
            /** @default 50 */
            risk_justification: number;
            /** @default 50 */
            timeline_narrative: number;
        };
        Model: {
            /**
             * @description State of the circuit breaker. `closed`: calls are made; `open`: calls fail immediately for a while; `half_open`: one call is
             *     tried.
             */
            circuit: string;
            model: string;
        };
        Money: {
            /**
             * @description Decimal text, more than zero, with at most as many decimals as the currency has.
             * @example 1250.00
             */
            amount: string;
            /**
             * @description ISO 4217.
             * @example USD
             */
            currency: string;
        };
        NewAddendum: {
            text: string;
        };
        NewKey: {
            expires_at?: components["schemas"]["Time"] | null;
            /**
             * @description Whose key it is, or what it is for.
             * @example Ana, reviewer
             */
            name: string;
            role: components["schemas"]["Role"];
        };
        NewReview: {
            /** @description Required unless the decision is to approve. */
            comment?: string | null;
            decision: components["schemas"]["Decision"];
            disposition?: components["schemas"]["Disposition"] | null;
        };
        /** @description Why the server should get no traffic now. */
        NotReady: components["schemas"]["ErrorBody"] & {
            /**
             * @example [
             *       "all connections are in use"
             *     ]
             */
            reasons: string[];
            /**
             * @description Always `not_ready`.
             * @example not_ready
             */
            status: string;
        };
        /** @description One transaction or an array of them. */
        OneOrMany: components["schemas"]["Transaction"] | components["schemas"]["Transaction"][];
        /** @description An exchange whose audit is not finished, or that ended without an answer. */
        OpenLog: {
            created_at: components["schemas"]["Time"];
            detail?: string | null;
            id: string;
            query?: string | null;
            /** @description The part of the answer that was released, as far as it was recorded. */
            response?: string | null;
            status: components["schemas"]["OpenStatus"];
        };
        /**
         * @description `Pending` until the audit is finished; the other values mean that the exchange ended without an audited answer. Finished audits
         *     have other statuses, so the status tells the two kinds of log apart.
         * @enum {string}
         */
        OpenStatus: "Pending" | "Failed" | "Refused" | "Cancelled" | "Interrupted";
        /** @description One page of a list. */
        Page_Addendum: {
            items: {
                added_at: components["schemas"]["Time"];
                /** @description The id of the key, or `local`. */
                added_by: string;
                /** @description The name of the key at that time. */
                added_by_name?: string | null;
                /** @description The id of its event. */
                addendum_id: components["schemas"]["EventId"];
                investigation_id: components["schemas"]["InvestigationId"];
                report_id: string;
                role: components["schemas"]["Role"];
                /** Format: int64 */
                seq: number;
                text: string;
                /** @description SHA-256 of the text, in hex, as recorded in its event. */
                text_sha256: string;
                /**
                 * Format: int32
                 * @description The version of the report that it was added to.
                 */
                version: number;
            }[];
            /** @description Pass it as `after` to get the next page; `null` on the last page. */
            next?: string | null;
        };
        /** @description One page of a list. */
        Page_AgentStatus: {
            items: {
                /** Format: int64 */
                dead_lettered: number;
                /**
                 * Format: int64
                 * @description Failed attempts to handle events, and failures of the store.
                 */
                failed: number;
                heartbeat_at: components["schemas"]["Time"];
                /** @description The last hour, minute by minute, oldest first; shorter if the process is younger. The last entry is the current minute. */
                history: components["schemas"]["AgentMinute"][];
                /**
                 * Format: int64
                 * @description Events that the agent is deciding on now. Those that are being committed or wait for a retry are not counted.
                 */
                in_flight: number;
                /**
                 * Format: int64
                 * @description Events that the agent still has to read or to finish, up to the newest one of a type it subscribes to.
                 */
                lag: number;
                last_error?: string | null;
                name: string;
                paused: boolean;
                /**
                 * Format: int64
                 * @description Agents with a higher priority are started first.
                 */
                priority: number;
                /** Format: int64 */
                processed: number;
                /**
                 * Format: double
                 * @description Events finished per minute, averaged over the last five minutes.
                 */
                rate_per_minute: number;
                started_at: components["schemas"]["Time"];
                state: components["schemas"]["AgentState"];
            }[];
            /** @description Pass it as `after` to get the next page; `null` on the last page. */
            next?: string | null;
        };
        /** @description One page of a list. */
        Page_AlertRow: {
            items: (components["schemas"]["Alert"] & components["schemas"]["AlertStanding"])[];
            /** @description Pass it as `after` to get the next page; `null` on the last page. */
            next?: string | null;
        };
        /** @description One page of a list. */
        Page_DeadLetter: {
            items: {
                agent: string;
                /** Format: int32 */
                attempts: number;
                dead_lettered_at: components["schemas"]["Time"];
                /** @description Why the last attempt failed. */
                error: string;
                event_id: components["schemas"]["EventId"];
                /** Format: int64 */
                event_seq: number;
                event_type: string;
                id: components["schemas"]["DeadLetterId"];
                /**
                 * @description `dead`, `replaying` or `replayed`.
                 * @example dead
                 */
                state: string;
            }[];
            /** @description Pass it as `after` to get the next page; `null` on the last page. */
            next?: string | null;
        };
        /** @description One page of a list. */
        Page_InvestigationRow: {
            items: {
                alert_id: components["schemas"]["AlertId"];
                assigned_to?: string | null;
                created_at: components["schemas"]["Time"];
                event_id: components["schemas"]["EventId"];
                investigation_id: components["schemas"]["InvestigationId"];
                /** @description The report that has waited longest for a reviewer; if none is waiting, the newest report. */
                report_id?: string | null;
                risk_score: components["schemas"]["Score"];
                /** Format: int64 */
                seq: number;
                severity: components["schemas"]["Severity"];
                /** @description The signals of the alert, in the alert's own format. `null` if it has none or was erased. */
                signals?: Record<string, unknown> | null;
                status: components["schemas"]["State"];
                transaction_id?: components["schemas"]["TransactionId"] | null;
                user_id: components["schemas"]["UserId"];
            }[];
            /** @description Pass it as `after` to get the next page; `null` on the last page. */
            next?: string | null;
        };
        /** @description One page of a list. */
        Page_Key: {
            items: {
                created_at: components["schemas"]["Time"];
                expires_at?: components["schemas"]["Time"] | null;
                id: components["schemas"]["KeyId"];
                name: string;
                revoked_at?: components["schemas"]["Time"] | null;
                role: components["schemas"]["Role"];
            }[];
            /** @description Pass it as `after` to get the next page; `null` on the last page. */
            next?: string | null;
        };
        /** @description One page of a list. */
        Page_ReportRow: {
            items: (components["schemas"]["ReportStanding"] & {
                fraud_detection_id?: components["schemas"]["AlertId"] | null;
                generated_at?: components["schemas"]["Time"] | null;
                id: string;
                investigation_id: components["schemas"]["InvestigationId"];
                report_type: components["schemas"]["ReportType"];
                risk_score?: components["schemas"]["Score"] | null;
                /** @example HIGH */
                severity?: string | null;
                transaction_id?: components["schemas"]["TransactionId"] | null;
            })[];
            /** @description Pass it as `after` to get the next page; `null` on the last page. */
            next?: string | null;
        };
        /** @description One page of a list. */
        Page_StoredEvent: {
            items: {
                causation_id?: components["schemas"]["EventId"] | null;
                correlation_id: components["schemas"]["CorrelationId"];
                event_id: components["schemas"]["EventId"];
                /**
                 * @description The wire name. It may be of a type that this build doesn't know.
                 * @example TRANSACTION_RECEIVED
                 */
                event_type: string;
                metadata?: Record<string, unknown> | null;
                occurred_at: components["schemas"]["Time"];
                /** @description `null` if it was erased. */
                payload?: Record<string, unknown> | null;
                producer: string;
                recorded_at: components["schemas"]["Time"];
                /** Format: int32 */
                schema_version: number;
                /**
                 * Format: int64
                 * @description Position in the log, from 0, without gaps.
                 */
                seq: number;
            }[];
            /** @description Pass it as `after` to get the next page; `null` on the last page. */
            next?: string | null;
        };
        /** @description One page of a list. */
        Page_TransactionRow: {
            items: (components["schemas"]["Transaction"] & components["schemas"]["TransactionPlace"])[];
            /** @description Pass it as `after` to get the next page; `null` on the last page. */
            next?: string | null;
        };
        /** @description One page of a list. */
        Page_Verdict: {
            items: (components["schemas"]["VerdictDetails"] & {
                feedback: string;
                id: components["schemas"]["EventId"];
                /** @description Each issue has `type`, `severity`, `description` and `section`. */
                issues: Record<string, unknown>[];
                passed: boolean;
                report_id: string;
                /** Format: int64 */
                seq: number;
                structured_feedback?: components["schemas"]["StructuredFeedback"] | null;
                validated_at: components["schemas"]["Time"];
                validation_score: components["schemas"]["Score"];
            })[];
            /** @description Pass it as `after` to get the next page; `null` on the last page. */
            next?: string | null;
        };
        /** @description One page of a list. */
        Page_Waiting: {
            items: {
                investigation?: components["schemas"]["InvestigationRow"] | null;
                /**
                 * Format: int64
                 * @description The number of issues in the supervisor's last verdict.
                 */
                issues_count?: number | null;
                report?: components["schemas"]["ReportRow"] | null;
                review?: components["schemas"]["ReviewRow"] | null;
                waiting_since?: components["schemas"]["Time"] | null;
            }[];
            /** @description Pass it as `after` to get the next page; `null` on the last page. */
            next?: string | null;
        };
        /** @description How a model took part in the validation. */
        Participation: {
            /** @enum {string} */
            state: "none";
        } | {
            reason: string;
            /** @enum {string} */
            state: "degraded";
        } | {
            /** @enum {string} */
            state: "unparseable";
        } | {
            justification_strength: components["schemas"]["Strength"];
            /** @enum {string} */
            state: "model";
        };
        /** @description A provider's counts since the server's start, and its budgets today. */
        Provider: {
            /** Format: int64 */
            calls: number;
            /** @description In US dollars, as decimal text. Only calls to models with a configured price count. */
            cost_usd_today: string;
            /** Format: int64 */
            failures: number;
            /** Format: int64 */
            in_flight: number;
            /**
             * @description The result of the key check at the server's start: `accepted`, `refused` or `unreachable`. Null if the provider has no key
             *     or was not checked.
             * @example accepted
             */
            key?: string | null;
            models: components["schemas"]["Model"][];
            name: string;
            /**
             * Format: int64
             * @description The limit for a UTC day; null if there is no limit.
             */
            tokens_per_day?: number | null;
            /** Format: int64 */
            tokens_today: number;
            usd_per_day?: string | null;
        };
        Providers: {
            /** @description `provider/model` that audits, or `builtin`. */
            auditor: string;
            items: components["schemas"]["Provider"][];
            /**
             * @description `provider/model` that answers `/process-agent` and gateway requests for a model without a provider.
             * @example groq/llama-3.3-70b-versatile
             */
            worker: string;
        };
        PublishStatus: {
            /** @description Why the newest checkpoint is not published. */
            detail?: string | null;
            /**
             * Format: int64
             * @description The size of the last published checkpoint, in events.
             */
            size?: number | null;
            /** @description The file's name, or the web address without its path. */
            target: string;
        };
        Question: {
            /** @example What is the capital of France? */
            user_query: string;
        };
        Ready: {
            /**
             * @description Always `ready`.
             * @example ready
             */
            status: string;
        };
        Rejected: {
            /** @description What is wrong. */
            detail: string;
            /** @description Index in the request's array, from 0. */
            index: number;
        };
        Replaying: {
            id: components["schemas"]["DeadLetterId"];
            /** @example replaying */
            state: string;
        };
        /** @description A complete report. */
        Report: components["schemas"]["ReportRow"] & {
            /** @description All data that the report may use, redacted. The paths of facts point into it. */
            context: Record<string, unknown>;
            context_sha256: string;
            executive_summary: string;
            /** @description Only in full reports. */
            extended_analysis?: string | null;
            fraud_explanation: string;
            investigation_narrative: string;
            markdown_content: string;
            recommended_next_steps: string[];
            regulatory_impact: components["schemas"]["Level"];
            /** @description Only in compliance and full reports. */
            regulatory_statement?: string | null;
            /**
             * @description The people who requested this report or an earlier version of it, or who posted its alert. While it is in review, they can
             *     neither approve it nor close its investigation.
             */
            requesters: string[];
            risk_justification: string;
            /** @description How each section was written. */
            sections: components["schemas"]["WrittenSection"][];
            /** @description `severity`, `risk_score`, `signals`, `timeline_events` and further fields. */
            structured_data: Record<string, unknown>;
            timeline_narrative: string;
        };
        /** @description A request for a report. At least one of the three ids is required. */
        ReportRequest: {
            fraud_detection_id?: components["schemas"]["AlertId"] | null;
            investigation_id?: components["schemas"]["InvestigationId"] | null;
            regulatory_impact?: components["schemas"]["Level"] | null;
            report_type: components["schemas"]["ReportType"];
            requested_at?: components["schemas"]["Time"] | null;
            risk_score?: components["schemas"]["Score"] | null;
            /**
             * @description Ignored: the alert's own value is used.
             * @example HIGH
             */
            severity?: string | null;
            transaction_id?: components["schemas"]["TransactionId"] | null;
        };
        /** @description A version of a report in a list, without its texts. Fields other than ids that are `null` have been erased. */
        ReportRow: components["schemas"]["ReportStanding"] & {
            fraud_detection_id?: components["schemas"]["AlertId"] | null;
            generated_at?: components["schemas"]["Time"] | null;
            id: string;
            investigation_id: components["schemas"]["InvestigationId"];
            report_type: components["schemas"]["ReportType"];
            risk_score?: components["schemas"]["Score"] | null;
            /** @example HIGH */
            severity?: string | null;
            transaction_id?: components["schemas"]["TransactionId"] | null;
        };
        /** @description What the server knows about a report, besides its content. */
        ReportStanding: {
            /** @description SHA-256 of the stored content, in hex, as recorded in its event. */
            content_hash?: string | null;
            /** @description Whether this is the latest version. */
            is_current: boolean;
            /** @description Whether the report passed the supervisor's last check; `null` if there is no verdict. */
            passed?: boolean | null;
            /** @description The version that this one replaces. */
            regeneration_of?: string | null;
            /**
             * Format: int64
             * @description The position of its event in the log.
             */
            seq: number;
            status?: components["schemas"]["State"] | null;
            validation_score?: components["schemas"]["Score"] | null;
            /** Format: int32 */
            version: number;
        };
        /** @enum {string} */
        ReportType: "internal" | "compliance" | "full";
        Requested: {
            /** @description The id of the request's event. */
            request_id: components["schemas"]["EventId"];
        };
        ReviewPreview: {
            comment: string;
        };
        ReviewRequest: {
            reason?: string | null;
        };
        /** @description A reviewer's decision. */
        ReviewRow: {
            comment: string;
            decided_at: components["schemas"]["Time"];
            /** @description The id of the key, or `local`. */
            decided_by: string;
            /** @description The name of the key. */
            decided_by_name?: string | null;
            decision: components["schemas"]["Decision"];
            disposition?: components["schemas"]["Disposition"] | null;
            event_id: components["schemas"]["EventId"];
            investigation_id?: components["schemas"]["InvestigationId"] | null;
            report_id: string;
            revision?: components["schemas"]["RevisionPlan"] | null;
            /** Format: int64 */
            seq: number;
        };
        /** @description How the next version should differ from what the built-in writer would write otherwise. */
        Revision: {
            report_type?: components["schemas"]["ReportType"] | null;
            /** @description At most one entry per section. */
            sections?: components["schemas"]["SectionRevision"][];
        };
        /** @description What sending a report back leads to. It is recorded with the decision, so that the log shows what the reviewer was told. */
        RevisionPlan: {
            /** @description The parts of the comment that have no effect. */
            cannot_act_on?: components["schemas"]["CannotAct"][];
            /** @description The instructions for the built-in writer. */
            instructions?: components["schemas"]["Revision"];
            /** @description Who can act on these parts instead. */
            who_can?: components["schemas"]["WhoCan"][];
            /** @description What the next version will do differently. Empty if no new version is written. */
            will_change: string[];
            writer: components["schemas"]["RevisionWriter"];
        };
        /** @enum {string} */
        RevisionWriter: "builtin" | "model";
        /** Format: int32 */
        RiskScore: number;
        /** @enum {string} */
        RiskStatus: "Safe" | "Warning" | "Flagged";
        /**
         * @description `viewer` < `investigator` < `reviewer` < `admin`. `agent` is outside this order and may only submit work.
         * @enum {string}
         */
        Role: "agent" | "viewer" | "investigator" | "reviewer" | "admin";
        /**
         * @description A rule by which points are deducted.
         * @enum {string}
         */
        Rule: "missing_section" | "consistency" | "score_severity_mismatch" | "weak_justification" | "high_issue" | "medium_issue" | "low_issue";
        RulesInForce: {
            items: components["schemas"]["DetectionRule"][];
            loaded_at?: components["schemas"]["Time"] | null;
            /** @description SHA-256 of the rules, in hex. Alerts contain it. */
            rules_hash: string;
            /**
             * @description `built-in`, or the name of the file that they were read from.
             * @example built-in
             */
            source: string;
        };
        /**
         * Format: int32
         * @description A fraud score, 0 to 100.
         */
        Score: number;
        Scores: {
            /** Format: double */
            grounding: number;
            /** Format: double */
            injection: number;
            /** Format: double */
            pii: number;
            /** Format: double */
            toxicity: number;
        };
        /**
         * @description The prose sections. A model writes them if one is configured.
         * @enum {string}
         */
        Section: "executive_summary" | "fraud_explanation" | "timeline_narrative" | "risk_justification" | "investigation_narrative";
        SectionRevision: {
            length?: components["schemas"]["Length"] | null;
            /** @description Facts that the section must state. */
            mention?: components["schemas"]["Topic"][];
            section: components["schemas"]["Section"];
        };
        /** @description A sentence of a text, and the facts that support it. */
        Sentence: {
            end: number;
            facts: components["schemas"]["Licence"][];
            section: components["schemas"]["Section"];
            /** @description In code points from the start of the section; `end` is exclusive. */
            start: number;
        };
        /** @description The caller and the server. */
        SessionInfo: {
            /** @description Must be sent as `x-countersign-csrf` with every request that changes something. Null without a session. */
            csrf?: string | null;
            /** @description Whether the transactions are made up. */
            is_demo: boolean;
            /** @description Whether the worker's answers are made up. */
            is_simulated: boolean;
            key_id?: components["schemas"]["KeyId"] | null;
            /** @description Whether this server requires keys. */
            keys_required: boolean;
            /**
             * @description The name of the key, or `local`; null for anonymous callers.
             * @example Ana, reviewer
             */
            name?: string | null;
            role?: components["schemas"]["Role"] | null;
            /** @description Whether the caller is authenticated: by a session, by a key, or as `local` where no key is needed. */
            signed_in: boolean;
            version: string;
            /**
             * @description The worker, as `provider/model`; null for anonymous callers.
             * @example simulated/simulated
             */
            worker?: string | null;
        };
        Setting: {
            description: string;
            /** @example limits.request_timeout_ms */
            key: string;
            /** @description `flag`, `environment`, `file` or `default`. */
            source: string;
            /** @description Masked if the setting is secret. */
            value: string;
            /** @description The environment variable for this setting. */
            variable?: string | null;
        };
        Settings: {
            settings: components["schemas"]["Setting"][];
        };
        /**
         * @description low 0-39, medium 40-59, high 60-79, critical 80-100.
         * @enum {string}
         */
        Severity: "low" | "medium" | "high" | "critical";
        SignIn: {
            /** @example cs_abcdefgh2345_... */
            key: string;
        };
        /** @enum {string} */
        Standing: "waiting" | "current" | "unreachable" | "refused" | "disagrees";
        /**
         * @description The state of an investigation.
         * @enum {string}
         */
        State: "open" | "in_review" | "approved" | "sent_back" | "disposed";
        /** @description Statistics of audit logs. */
        Stats: {
            /**
             * Format: int64
             * @description The position up to which the event log was read: logs with a lower `seq` are counted. A client that follows the event
             *     log live adds the others itself.
             */
            as_of: number;
            /**
             * Format: double
             * @description The mean risk score of the counted logs; 0 if there are no logs.
             */
            average_risk: number;
            /** @description The number of logs with each score, from 0 to 10. */
            by_score: number[];
            by_status: components["schemas"]["ByStatus"];
            /** @description Whether the search ran out of time, so that only the newest logs are counted. */
            partial: boolean;
            /** Format: int64 */
            total: number;
            /** @description Oldest first; times without logs are left out. Empty unless `bucket` is given. */
            trend: components["schemas"]["TrendPoint"][];
        };
        /** @description An event in the log. */
        StoredEvent: {
            causation_id?: components["schemas"]["EventId"] | null;
            correlation_id: components["schemas"]["CorrelationId"];
            event_id: components["schemas"]["EventId"];
            /**
             * @description The wire name. It may be of a type that this build doesn't know.
             * @example TRANSACTION_RECEIVED
             */
            event_type: string;
            metadata?: Record<string, unknown> | null;
            occurred_at: components["schemas"]["Time"];
            /** @description `null` if it was erased. */
            payload?: Record<string, unknown> | null;
            producer: string;
            recorded_at: components["schemas"]["Time"];
            /** Format: int32 */
            schema_version: number;
            /**
             * Format: int64
             * @description Position in the log, from 0, without gaps.
             */
            seq: number;
        };
        /**
         * @description How well a score is justified by the evidence on record and by the report's account of it.
         * @enum {string}
         */
        Strength: "none" | "weak" | "adequate" | "strong";
        StructuredFeedback: {
            /** @description Whether all sections are present and long enough. */
            completeness_check: boolean;
            /** @description Whether no fact contradicts another. */
            consistency_check: boolean;
            evidence?: components["schemas"]["WeighedEvidence"] | null;
            /** @description The lowest of three strengths: of the evidence, of how well the text states it, and of the model's assessment. */
            justification_strength: components["schemas"]["Strength"];
            score_severity_alignment: boolean;
            sections_missing: components["schemas"]["Section"][];
            sections_present: components["schemas"]["Section"][];
            stated_strength?: components["schemas"]["Strength"] | null;
            timeline_present: boolean;
        };
        Text: {
            /** @description A source that must support the text; sentences without support are reported. */
            context?: string | null;
            text: string;
        };
        /**
         * Format: date-time
         * @example 2026-03-01T09:30:00.000000Z
         */
        Time: string;
        /**
         * @description A fact of the case that a section can be asked to state.
         * @enum {string}
         */
        Topic: "merchant" | "category" | "channel" | "location" | "amount" | "time" | "status" | "funds" | "memo" | "account_age" | "history" | "baseline" | "prior_alerts" | "similar_alerts" | "thresholds" | "score" | "severity" | "rules" | "impact";
        /** @description A figure or a name in a section, and the fact it comes from. */
        TracedFact: {
            end: number;
            /** @description JSON pointer into the context. */
            path: string;
            /** @description Code points from the section's start; `end` is exclusive. */
            start: number;
            /** @description The figure or name as it is written. */
            text: string;
        };
        /** @description A sentence of a section, and the facts that license what it says. */
        TracedSentence: {
            end: number;
            /** @description JSON pointers into the context. */
            facts: string[];
            /** @description Code points from the section's start; `end` is exclusive. */
            start: number;
        };
        Transaction: {
            account_opened_at?: components["schemas"]["Time"] | null;
            amount: components["schemas"]["Money"];
            category?: string | null;
            channel?: components["schemas"]["Channel"] | null;
            device_fingerprint?: string | null;
            ip_address?: string | null;
            location?: components["schemas"]["Location"] | null;
            merchant?: string | null;
            /** @description Open JSON, at most 64 kB and 16 levels. */
            metadata?: Record<string, unknown>;
            occurred_at: components["schemas"]["Time"];
            /** @description The sender's id. Sending the same transaction again has no effect. */
            transaction_id: components["schemas"]["TransactionId"];
            user_id: components["schemas"]["UserId"];
        };
        /** @description The sender's id of a transaction. Sending the same transaction again has no effect. */
        TransactionId: string;
        /** @description The position of a transaction in the log. */
        TransactionPlace: {
            event_id: components["schemas"]["EventId"];
            recorded_at: components["schemas"]["Time"];
            /** Format: int64 */
            seq: number;
        };
        /** @description A transaction in a list. */
        TransactionRow: components["schemas"]["Transaction"] & components["schemas"]["TransactionPlace"];
        TrendPoint: {
            /** Format: double */
            average_risk: number;
            by_status: components["schemas"]["ByStatus"];
            start: components["schemas"]["Time"];
            /** Format: int64 */
            total: number;
        };
        /** @description Why the server is unavailable, with its status. */
        Unhealthy: components["schemas"]["Health"] & components["schemas"]["ErrorBody"];
        UserId: string;
        /** @description A verdict of the supervisor. */
        Verdict: components["schemas"]["VerdictDetails"] & {
            feedback: string;
            id: components["schemas"]["EventId"];
            /** @description Each issue has `type`, `severity`, `description` and `section`. */
            issues: Record<string, unknown>[];
            passed: boolean;
            report_id: string;
            /** Format: int64 */
            seq: number;
            structured_feedback?: components["schemas"]["StructuredFeedback"] | null;
            validated_at: components["schemas"]["Time"];
            validation_score: components["schemas"]["Score"];
        };
        /** @description Further fields of the verdict's event. */
        VerdictDetails: {
            assessment?: components["schemas"]["Participation"] | null;
            /** @description Whether the correlated alerts found at the check are those found when the report was written. */
            correlation_agrees?: boolean | null;
            /** @description What was deducted from 100 points. */
            deductions?: components["schemas"]["Deduction"][] | null;
            hash_after?: string | null;
            /** @description SHA-256 of the report before and after the check, in hex. Equal hashes show that the supervisor did not edit it. */
            hash_before?: string | null;
            /** @description The model that judged the report, its prompt and its reply. */
            judge?: Record<string, unknown> | null;
            limits?: components["schemas"]["Limits"] | null;
            /** @description The points that the narrative must make, and where it makes each. */
            narrative?: Record<string, unknown>[] | null;
            /** Format: int32 */
            pass_mark?: number | null;
            requires_regeneration?: boolean | null;
        };
        /** @description A row of the review queue. */
        Waiting: {
            investigation?: components["schemas"]["InvestigationRow"] | null;
            /**
             * Format: int64
             * @description The number of issues in the supervisor's last verdict.
             */
            issues_count?: number | null;
            report?: components["schemas"]["ReportRow"] | null;
            review?: components["schemas"]["ReviewRow"] | null;
            waiting_since?: components["schemas"]["Time"] | null;
        };
        /** @description One thing that weakens the evidence. */
        Weakness: {
            /** @description One sentence. */
            detail: string;
            kind: components["schemas"]["WeaknessKind"];
            /**
             * Format: int32
             * @description The steps by which this kind lowers the strength, however often it occurs.
             */
            steps: number;
        };
        /** @enum {string} */
        WeaknessKind: "uncorroborated" | "narrow_margin" | "thin_baseline" | "stale_baseline" | "several_currencies" | "contradictory_signal" | "unmeasured_signal" | "insufficient_history";
        /** @description Evidence and the strength that it gives. */
        WeighedEvidence: {
            /** @description The strength that the row gives. */
            base: components["schemas"]["Strength"];
            counted: components["schemas"]["Evidence"];
            row: components["schemas"]["EvidenceRow"];
            /** @description The strength after the weaknesses. */
            strength: components["schemas"]["Strength"];
            weaknesses: components["schemas"]["Weakness"][];
        };
        /** @enum {string} */
        WhoCan: "model" | "addendum";
        /** @description How many of the ledger's witnesses cosign. `GET /api/ledger/witnesses` lists them. */
        WitnessHealth: {
            configured: number;
            current: number;
            /** @description The number of witnesses that have cosigned a different history of this log. */
            disagreeing: number;
            required: number;
        };
        WitnessStatus: {
            /** @description The time of that cosignature, by the witness's clock. */
            cosigned_at?: string | null;
            /** @description Why it has not cosigned the newest checkpoint. */
            detail?: string | null;
            /**
             * @description The name of the witness's key.
             * @example witness.example/w1
             */
            name: string;
            /**
             * Format: int64
             * @description The size of the last checkpoint that it cosigned for this process, in events.
             */
            size?: number | null;
            state: components["schemas"]["Standing"];
            url: string;
        };
        Witnesses: {
            /** @description The number of witnesses that currently cosign. */
            current: number;
            items: components["schemas"]["WitnessStatus"][];
            /** @description What is missing, if fewer witnesses cosign than required. */
            missing?: string | null;
            /** @description `warn` or `refuse`: what happens if fewer witnesses cosign than required. */
            on_missing: string;
            publish?: components["schemas"]["PublishStatus"] | null;
            /** @description The number of witnesses that must cosign. */
            required: number;
        };
        /** @description The model that answered, with the tokens and the time that it took. */
        Worker: {
            /** Format: int64 */
            latency_ms: number;
            model: string;
            provider: string;
            /** Format: int64 */
            tokens_used?: number | null;
        };
        /** @enum {string} */
        WrittenBy: "builtin" | "model" | "model and builtin" | "fallback";
        WrittenSection: {
            /** Format: int32 */
            attempts: number;
            facts: components["schemas"]["TracedFact"][];
            /** @description `provider/model`, if a model wrote it. */
            model?: string | null;
            /** @description Why a model's text was refused. */
            refused?: string[] | null;
            section: components["schemas"]["Section"];
            /** @description Each sentence with the facts that support it. Reports written before sentences were checked have none. */
            sentences?: components["schemas"]["TracedSentence"][] | null;
            template: string;
            template_sha256?: string | null;
            words: number;
            written_by: components["schemas"]["WrittenBy"];
        };
    };
    responses: never;
    parameters: never;
    requestBodies: never;
    headers: never;
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    get: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page. In a build without the dashboard, it says how to build it */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/html": string;
                };
            };
            /** @description The caller has the current page */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The request is invalid; `detail` says what is wrong and where */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description The key is missing, wrong, expired or revoked */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description The role, the origin or the host is not allowed */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description Too many requests; `Retry-After` says when to try again */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description The server failed; its log has the details under the request id */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description The server is overloaded or stopping, or the request timed out; `Retry-After` says when to try again */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
        };
    };
    get_api_agents: {
        parameters: {
            query?: {
                /** @description Maximum number of items in a page. */
                limit?: number | string;
                /** @description The `next` of the previous page. */
                after?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The agents' status */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Page_AgentStatus"];
                };
            };
            /** @description The request is invalid; `detail` says what is wrong and where */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description The key is missing, wrong, expired or revoked */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description The role, the origin or the host is not allowed */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description Too many requests; `Retry-After` says when to try again */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description The server failed; its log has the details under the request id */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description The server is overloaded or stopping, or the request timed out; `Retry-After` says when to try again */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
        };
    };
    post_api_agents_name_pause: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The agent's name
                 * @example orchestrator
                 */
                name: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The agent's status */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgentStatus"];
                };
            };
            /** @description The request is invalid; `detail` says what is wrong and where */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description The key is missing, wrong, expired or revoked */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description The role, the origin or the host is not allowed */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description There is no such agent */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description Too many requests; `Retry-After` says when to try again */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description The server failed; its log has the details under the request id */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description The server is overloaded or stopping, or the request timed out; `Retry-After` says when to try again */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
        };
    };
    post_api_agents_name_resume: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The agent's name
                 * @example orchestrator
                 */
                name: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The agent's status */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgentStatus"];
                };
            };
            /** @description The request is invalid; `detail` says what is wrong and where */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description The key is missing, wrong, expired or revoked */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description The role, the origin or the host is not allowed */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description There is no such agent */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description Too many requests; `Retry-After` says when to try again */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description The server failed; its log has the details under the request id */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description The server is overloaded or stopping, or the request timed out; `Retry-After` says when to try again */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
        };
    };
    get_api_alerts: {
        parameters: {
            query?: {
                /** @description Maximum number of items in a page. */
                limit?: number | string;
                /** @description The `next` of the previous page. */
                after?: string;
                /** @description Only alerts of this severity */
                severity?: components["schemas"]["Severity"] | string;
                /** @description Only alerts in this state */
                status?: components["schemas"]["AlertState"] | string;
                /** @description Only alerts about this customer */
                user_id?: components["schemas"]["UserId"] | string;
                /** @description Only alerts about the customer of this investigation */
                investigation_id?: components["schemas"]["InvestigationId"] | string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of alerts */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Page_AlertRow"];
                };
            };
            /** @description The request is invalid; `detail` says what is wrong and where */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description The key is missing, wrong, expired or revoked */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description The role, the origin or the host is not allowed */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description There is no investigation with this id */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description Too many requests; `Retry-After` says when to try again */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description The server failed; its log has the details under the request id */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description The server is overloaded or stopping, or the request timed out; `Retry-After` says when to try again */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
        };
    };
    post_api_alerts: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["Alert"];
            };
        };
        responses: {
            /** @description Stored, now or earlier */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AlertTaken"];
                };
            };
            /** @description The request is invalid; `detail` says what is wrong and where */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description The key is missing, wrong, expired or revoked */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description The role, the origin or the host is not allowed */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description An alert with this id and different content already exists */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description Too many bytes */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description Too many requests; `Retry-After` says when to try again */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description The server failed; its log has the details under the request id */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description The server is overloaded or stopping, or the request timed out; `Retry-After` says when to try again */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
        };
    };
    get_api_alerts_id: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The alert's id, as chosen by its sender */
                id: components["schemas"]["AlertId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The alert and the ids of its reports */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AlertDetail"];
                };
            };
            /** @description The request is invalid; `detail` says what is wrong and where */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description The key is missing, wrong, expired or revoked */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description The role, the origin or the host is not allowed */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description There is no such alert */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description Its content has been erased */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description Too many requests; `Retry-After` says when to try again */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description The server failed; its log has the details under the request id */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description The server is overloaded or stopping, or the request timed out; `Retry-After` says when to try again */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
        };
    };
    post_api_audit: {
        parameters: {
            query?: {
                /** @description Whether to store the audit as an audit log */
                store?: boolean | string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["Text"];
            };
        };
        responses: {
            /** @description The findings and scores */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Inspected"];
                };
            };
            /** @description The request is invalid; `detail` says what is wrong and where */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description The key is missing, wrong, expired or revoked */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description The role, the origin or the host is not allowed */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description Too many bytes */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description Too many requests; `Retry-After` says when to try again */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description The server failed; its log has the details under the request id */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description The server is overloaded or stopping, or the request timed out; `Retry-After` says when to try again */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
        };
    };
    get_api_config: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description All settings */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Settings"];
                };
            };
            /** @description The request is invalid; `detail` says what is wrong and where */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description The key is missing, wrong, expired or revoked */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description The role, the origin or the host is not allowed */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description Too many requests; `Retry-After` says when to try again */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description The server failed; its log has the details under the request id */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description The server is overloaded or stopping, or the request timed out; `Retry-After` says when to try again */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
        };
    };
    get_api_dead_letters: {
        parameters: {
            query?: {
                /** @description Only dead letters of this agent */
                agent?: string;
                /**
                 * @description Only dead letters in this state
                 * @example dead
                 */
                state?: string;
                /** @description Maximum number of items in a page. */
                limit?: number | string;
                /** @description The `next` of the previous page. */
                after?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of dead letters */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Page_DeadLetter"];
                };
            };
            /** @description The request is invalid; `detail` says what is wrong and where */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description The key is missing, wrong, expired or revoked */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description The role, the origin or the host is not allowed */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description Too many requests; `Retry-After` says when to try again */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description The server failed; its log has the details under the request id */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description The server is overloaded or stopping, or the request timed out; `Retry-After` says when to try again */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
        };
    };
    post_api_dead_letters_id_replay: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The dead letter's id */
                id: components["schemas"]["DeadLetterId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The replay has been requested */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Replaying"];
                };
            };
            /** @description The request is invalid; `detail` says what is wrong and where */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description The key is missing, wrong, expired or revoked */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description The role, the origin or the host is not allowed */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description There is no such dead letter */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description The dead letter is being replayed, or has been replayed */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description Too many requests; `Retry-After` says when to try again */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description The server failed; its log has the details under the request id */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description The server is overloaded or stopping, or the request timed out; `Retry-After` says when to try again */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
        };
    };
    get_api_docs: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page that needs no JavaScript */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/html": string;
                };
            };
            /** @description The request is invalid; `detail` says what is wrong and where */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description The key is missing, wrong, expired or revoked */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description The role, the origin or the host is not allowed */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description Too many requests; `Retry-After` says when to try again */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description The server failed; its log has the details under the request id */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description The server is overloaded or stopping, or the request timed out; `Retry-After` says when to try again */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
        };
    };
    get_api_docs_css: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A style sheet */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/css": string;
                };
            };
            /** @description The request is invalid; `detail` says what is wrong and where */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description The key is missing, wrong, expired or revoked */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description The role, the origin or the host is not allowed */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description Too many requests; `Retry-After` says when to try again */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description The server failed; its log has the details under the request id */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description The server is overloaded or stopping, or the request timed out; `Retry-After` says when to try again */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
        };
    };
    get_api_events: {
        parameters: {
            query?: {
                /**
                 * @description Only events of these types; repeat the parameter or separate types with commas
                 * @example [
                 *       "FRAUD_ALERT_CREATED"
                 *     ]
                 */
                type?: string[] | string;
                /** @description Only events of one investigation or request */
                correlation_id?: components["schemas"]["CorrelationId"] | string;
                /** @description Maximum number of items in a page. */
                limit?: number | string;
                /** @description The `next` of the previous page. */
                after?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of events */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Page_StoredEvent"];
                };
            };
            /** @description The request is invalid; `detail` says what is wrong and where */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description The key is missing, wrong, expired or revoked */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description The role, the origin or the host is not allowed */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description Too many requests; `Retry-After` says when to try again */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description The server failed; its log has the details under the request id */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description The server is overloaded or stopping, or the request timed out; `Retry-After` says when to try again */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
        };
    };
    get_api_events_id: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The event's id */
                id: components["schemas"]["EventId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The event */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["StoredEvent"];
                };
            };
            /** @description The request is invalid; `detail` says what is wrong and where */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description The key is missing, wrong, expired or revoked */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description The role, the origin or the host is not allowed */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description There is no such event */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description Too many requests; `Retry-After` says when to try again */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description The server failed; its log has the details under the request id */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description The server is overloaded or stopping, or the request timed out; `Retry-After` says when to try again */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
        };
    };
    get_api_events_id_chain: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of any event of the chain */
                id: components["schemas"]["EventId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The chain, at most 1000 events */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Chain"];
                };
            };
            /** @description The request is invalid; `detail` says what is wrong and where */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description The key is missing, wrong, expired or revoked */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description The role, the origin or the host is not allowed */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description There is no such event */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description Too many requests; `Retry-After` says when to try again */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description The server failed; its log has the details under the request id */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description The server is overloaded or stopping, or the request timed out; `Retry-After` says when to try again */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
        };
    };
    get_api_investigations: {
        parameters: {
            query?: {
                /** @description Maximum number of items in a page. */
                limit?: number | string;
                /** @description The `next` of the previous page. */
                after?: string;
                /** @description Only investigations of this severity */
                severity?: components["schemas"]["Severity"] | string;
                /** @description Only investigations in this state */
                status?: components["schemas"]["State"] | string;
                /** @description Only investigations about this customer */
                user_id?: components["schemas"]["UserId"] | string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of investigations */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Page_InvestigationRow"];
                };
            };
            /** @description The request is invalid; `detail` says what is wrong and where */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description The key is missing, wrong, expired or revoked */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description The role, the origin or the host is not allowed */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description Too many requests; `Retry-After` says when to try again */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description The server failed; its log has the details under the request id */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description The server is overloaded or stopping, or the request timed out; `Retry-After` says when to try again */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
        };
    };
    get_api_investigations_id: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The investigation's id */
                id: components["schemas"]["InvestigationId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The investigation */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Investigation"];
                };
            };
            /** @description The request is invalid; `detail` says what is wrong and where */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description The key is missing, wrong, expired or revoked */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description The role, the origin or the host is not allowed */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description There is no such investigation */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description Its content has been erased */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description Too many requests; `Retry-After` says when to try again */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description The server failed; its log has the details under the request id */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description The server is overloaded or stopping, or the request timed out; `Retry-After` says when to try again */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
        };
    };
    post_api_investigations_id_assign: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The investigation's id */
                id: components["schemas"]["InvestigationId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["Assignment"];
            };
        };
        responses: {
            /** @description The updated investigation */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InvestigationRow"];
                };
            };
            /** @description The request is invalid; `detail` says what is wrong and where */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description The key is missing, wrong, expired or revoked */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description The role, the origin or the host is not allowed */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description There is no such investigation */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description Its content has been erased */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description Too many bytes */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description Too many requests; `Retry-After` says when to try again */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description The server failed; its log has the details under the request id */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description The server is overloaded or stopping, or the request timed out; `Retry-After` says when to try again */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
        };
    };
    post_api_investigations_id_supervisor_review: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The investigation's id */
                id: components["schemas"]["InvestigationId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ReviewRequest"];
            };
        };
        responses: {
            /** @description The review has been requested */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Requested"];
                };
            };
            /** @description The request is invalid; `detail` says what is wrong and where */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description The key is missing, wrong, expired or revoked */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description The role, the origin or the host is not allowed */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description There is no such investigation */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description The investigation is closed */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description Its content has been erased */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description Too many bytes */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description Too many requests; `Retry-After` says when to try again */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description The server failed; its log has the details under the request id */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description The server is overloaded or stopping, or the request timed out; `Retry-After` says when to try again */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
        };
    };
    get_api_keys: {
        parameters: {
            query?: {
                /** @description Maximum number of items in a page. */
                limit?: number | string;
                /** @description The `next` of the previous page. */
                after?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Keys without their secrets, including revoked keys */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Page_Key"];
                };
            };
            /** @description The request is invalid; `detail` says what is wrong and where */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description The key is missing, wrong, expired or revoked */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description The role, the origin or the host is not allowed */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description Too many requests; `Retry-After` says when to try again */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description The server failed; its log has the details under the request id */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description The server is overloaded or stopping, or the request timed out; `Retry-After` says when to try again */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
        };
    };
    post_api_keys: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewKey"];
            };
        };
        responses: {
            /** @description The new key, which is shown only once */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CreatedKey"];
                };
            };
            /** @description The request is invalid; `detail` says what is wrong and where */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description The key is missing, wrong, expired or revoked */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description The role, the origin or the host is not allowed */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description Too many bytes */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description Too many requests; `Retry-After` says when to try again */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description The server failed; its log has the details under the request id */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description The server is overloaded or stopping, or the request timed out; `Retry-After` says when to try again */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
        };
    };
    delete_api_keys_id: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The key's public id */
                id: components["schemas"]["KeyId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The revoked key */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Key"];
                };
            };
            /** @description The request is invalid; `detail` says what is wrong and where */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description The key is missing, wrong, expired or revoked */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description The role, the origin or the host is not allowed */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description There is no such key */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description Too many requests; `Retry-After` says when to try again */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description The server failed; its log has the details under the request id */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description The server is overloaded or stopping, or the request timed out; `Retry-After` says when to try again */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
        };
    };
    get_api_ledger_checkpoint: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The signed note */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/plain": string;
                };
            };
            /** @description The request is invalid; `detail` says what is wrong and where */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description The key is missing, wrong, expired or revoked */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description The role, the origin or the host is not allowed */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description Too many requests; `Retry-After` says when to try again */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description The server failed; its log has the details under the request id */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description The server is overloaded or stopping, or the request timed out; `Retry-After` says when to try again */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
        };
    };
    get_api_ledger_consistency: {
        parameters: {
            query: {
                /** @description Size of the smaller tree */
                from: number;
                /** @description Size of the larger tree; by default that of the newest checkpoint */
                to?: number | string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The proof */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Consistency"];
                };
            };
            /** @description The request is invalid; `detail` says what is wrong and where */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description The key is missing, wrong, expired or revoked */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description The role, the origin or the host is not allowed */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description Too many requests; `Retry-After` says when to try again */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description The server failed; its log has the details under the request id */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description The server is overloaded or stopping, or the request timed out; `Retry-After` says when to try again */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
        };
    };
    get_api_ledger_inclusion: {
        parameters: {
            query: {
                /** @description The event's position in the log */
                index: number;
                /** @description Size of the tree; by default that of the newest checkpoint */
                size?: number | string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The proof */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Inclusion"];
                };
            };
            /** @description The request is invalid; `detail` says what is wrong and where */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description The key is missing, wrong, expired or revoked */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description The role, the origin or the host is not allowed */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description Too many requests; `Retry-After` says when to try again */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description The server failed; its log has the details under the request id */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description The server is overloaded or stopping, or the request timed out; `Retry-After` says when to try again */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
        };
    };
    get_api_ledger_key: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The key in the format of signed notes */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/plain": string;
                };
            };
            /** @description The request is invalid; `detail` says what is wrong and where */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description The key is missing, wrong, expired or revoked */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description The role, the origin or the host is not allowed */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description Too many requests; `Retry-After` says when to try again */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description The server failed; its log has the details under the request id */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description The server is overloaded or stopping, or the request timed out; `Retry-After` says when to try again */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
        };
    };
    get_api_ledger_leaf_index: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The event's position in the log */
                index: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The leaf */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Leaf"];
                };
            };
            /** @description The request is invalid; `detail` says what is wrong and where */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description The key is missing, wrong, expired or revoked */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description The role, the origin or the host is not allowed */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description The log has no event at this position */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description Too many requests; `Retry-After` says when to try again */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description The server failed; its log has the details under the request id */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description The server is overloaded or stopping, or the request timed out; `Retry-After` says when to try again */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
        };
    };
    get_api_ledger_leaves: {
        parameters: {
            query?: {
                /** @description Index of the first leaf; 0 by default */
                from?: number | string;
                /** @description Maximum number of leaves; 256 by default */
                limit?: number | string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of leaves */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Leaves"];
                };
            };
            /** @description The request is invalid; `detail` says what is wrong and where */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description The key is missing, wrong, expired or revoked */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description The role, the origin or the host is not allowed */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description Too many requests; `Retry-After` says when to try again */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description The server failed; its log has the details under the request id */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description The server is overloaded or stopping, or the request timed out; `Retry-After` says when to try again */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
        };
    };
    get_api_ledger_witnesses: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Every configured witness and its status */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Witnesses"];
                };
            };
            /** @description The request is invalid; `detail` says what is wrong and where */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description The key is missing, wrong, expired or revoked */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description The role, the origin or the host is not allowed */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description Too many requests; `Retry-After` says when to try again */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description The server failed; its log has the details under the request id */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description The server is overloaded or stopping, or the request timed out; `Retry-After` says when to try again */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
        };
    };
    get_api_live: {
        parameters: {
            query?: {
                /** @description The `cursor` of the last message that the client has seen */
                after?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The WebSocket is open; every message has this form */
            101: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["LiveMessage"];
                };
            };
            /** @description The request is invalid; `detail` says what is wrong and where */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description The key is missing, wrong, expired or revoked */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description The role, the origin or the host is not allowed */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description Too many requests; `Retry-After` says when to try again */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description The server failed; its log has the details under the request id */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description The maximum number of live connections is open, for this caller or in total */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
        };
    };
    get_api_logs: {
        parameters: {
            query?: {
                /** @description Maximum number of items in a page. */
                limit?: number | string;
                /** @description The `next` of the previous page. */
                after?: string;
                /** @description Only logs with this status */
                status?: components["schemas"]["RiskStatus"] | string;
                min_score?: number | string;
                max_score?: number | string;
                /** @description Words that must all occur in the query or the response */
                q?: string;
                /** @description Created at this time or later */
                from?: components["schemas"]["Time"] | string;
                /** @description Created before this time */
                to?: components["schemas"]["Time"] | string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of logs */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["LogList"];
                };
            };
            /** @description The request is invalid; `detail` says what is wrong and where */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description The key is missing, wrong, expired or revoked */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description The role, the origin or the host is not allowed */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description Too many requests; `Retry-After` says when to try again */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description The server failed; its log has the details under the request id */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description The server is overloaded or stopping, or the request timed out; `Retry-After` says when to try again */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
        };
    };
    get_api_logs_stats: {
        parameters: {
            query?: {
                /** @description Only logs with this status */
                status?: components["schemas"]["RiskStatus"] | string;
                min_score?: number | string;
                max_score?: number | string;
                /** @description Words that must all occur in the query or the response */
                q?: string;
                /** @description Created at this time or later */
                from?: components["schemas"]["Time"] | string;
                /** @description Created before this time */
                to?: components["schemas"]["Time"] | string;
                /** @description `minute`, `hour` or `day`: also return the trend, with one point for each */
                bucket?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The statistics */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Stats"];
                };
            };
            /** @description The request is invalid; `detail` says what is wrong and where */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description The key is missing, wrong, expired or revoked */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description The role, the origin or the host is not allowed */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description Too many requests; `Retry-After` says when to try again */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description The server failed; its log has the details under the request id */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description The server is overloaded or stopping, or the request timed out; `Retry-After` says when to try again */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
        };
    };
    get_api_logs_id: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The log, or what is known of it so far */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AnyLog"];
                };
            };
            /** @description The request is invalid; `detail` says what is wrong and where */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description The key is missing, wrong, expired or revoked */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description The role, the origin or the host is not allowed */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description There is no such log */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description Its content has been erased */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description Too many requests; `Retry-After` says when to try again */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description The server failed; its log has the details under the request id */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description The server is overloaded or stopping, or the request timed out; `Retry-After` says when to try again */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
        };
    };
    get_api_openapi_json: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OpenAPI 3.1 */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": Record<string, unknown>;
                };
            };
            /** @description The request is invalid; `detail` says what is wrong and where */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description The key is missing, wrong, expired or revoked */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description The role, the origin or the host is not allowed */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description Too many requests; `Retry-After` says when to try again */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description The server failed; its log has the details under the request id */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description The server is overloaded or stopping, or the request timed out; `Retry-After` says when to try again */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
        };
    };
    get_api_providers: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description All providers */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Providers"];
                };
            };
            /** @description The request is invalid; `detail` says what is wrong and where */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description The key is missing, wrong, expired or revoked */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description The role, the origin or the host is not allowed */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description Too many requests; `Retry-After` says when to try again */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description The server failed; its log has the details under the request id */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description The server is overloaded or stopping, or the request timed out; `Retry-After` says when to try again */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
        };
    };
    get_api_reports: {
        parameters: {
            query?: {
                /** @description Maximum number of items in a page. */
                limit?: number | string;
                /** @description The `next` of the previous page. */
                after?: string;
                /** @description Only reports of this severity */
                severity?: components["schemas"]["Severity"] | string;
                /** @description Only reports of this type */
                report_type?: components["schemas"]["ReportType"] | string;
                /** @description Only reports about this customer */
                user_id?: components["schemas"]["UserId"] | string;
                /** @description Only reports in this state */
                status?: components["schemas"]["State"] | string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of reports without their texts */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Page_ReportRow"];
                };
            };
            /** @description The request is invalid; `detail` says what is wrong and where */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description The key is missing, wrong, expired or revoked */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description The role, the origin or the host is not allowed */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description Too many requests; `Retry-After` says when to try again */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description The server failed; its log has the details under the request id */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description The server is overloaded or stopping, or the request timed out; `Retry-After` says when to try again */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
        };
    };
    post_api_reports: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ReportRequest"];
            };
        };
        responses: {
            /** @description The existing report of this type */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Report"];
                };
            };
            /** @description The report has been requested */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Requested"];
                };
            };
            /** @description The request is invalid; `detail` says what is wrong and where */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description The key is missing, wrong, expired or revoked */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description The role, the origin or the host is not allowed */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description No alert matches the given ids */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description The alert or its report has been erased */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description Too many bytes */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description Too many requests; `Retry-After` says when to try again */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description The server failed; its log has the details under the request id */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description The server is overloaded or stopping, or the request timed out; `Retry-After` says when to try again */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
        };
    };
    get_api_reports_id: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of any version */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The report */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Report"];
                };
            };
            /** @description The request is invalid; `detail` says what is wrong and where */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description The key is missing, wrong, expired or revoked */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description The role, the origin or the host is not allowed */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description There is no such report */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description Its content has been erased */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description Too many requests; `Retry-After` says when to try again */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description The server failed; its log has the details under the request id */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description The server is overloaded or stopping, or the request timed out; `Retry-After` says when to try again */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
        };
    };
    get_api_reports_id_addenda: {
        parameters: {
            query?: {
                /** @description Maximum number of items in a page. */
                limit?: number | string;
                /** @description The `next` of the previous page. */
                after?: string;
            };
            header?: never;
            path: {
                /** @description The report's id */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of addenda */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Page_Addendum"];
                };
            };
            /** @description The request is invalid; `detail` says what is wrong and where */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description The key is missing, wrong, expired or revoked */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description The role, the origin or the host is not allowed */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description There is no such report */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description Too many requests; `Retry-After` says when to try again */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description The server failed; its log has the details under the request id */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description The server is overloaded or stopping, or the request timed out; `Retry-After` says when to try again */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
        };
    };
    post_api_reports_id_addenda: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The report's id */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewAddendum"];
            };
        };
        responses: {
            /** @description The recorded addendum */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Addendum"];
                };
            };
            /** @description The request is invalid; `detail` says what is wrong and where */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description The key is missing, wrong, expired or revoked */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description The role, the origin or the host is not allowed */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description There is no such report */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description The report already has 100 addenda */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description The report has been erased */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description Too many bytes */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description Too many requests; `Retry-After` says when to try again */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description The server failed; its log has the details under the request id */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description The server is overloaded or stopping, or the request timed out; `Retry-After` says when to try again */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
        };
    };
    get_api_reports_id_export: {
        parameters: {
            query: {
                /**
                 * @description `md`, `json` or `html`
                 * @example html
                 */
                format: string;
            };
            header?: never;
            path: {
                /** @description The report's id */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The report */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": Record<string, unknown>;
                    "text/html": string;
                    "text/markdown": string;
                };
            };
            /** @description The request is invalid; `detail` says what is wrong and where */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description The key is missing, wrong, expired or revoked */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description The role, the origin or the host is not allowed */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description There is no such report */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description Its content has been erased */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description Too many requests; `Retry-After` says when to try again */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description The server failed; its log has the details under the request id */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description The server is overloaded or stopping, or the request timed out; `Retry-After` says when to try again */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
        };
    };
    get_api_reports_id_facts: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The report's id */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Every figure with its fact, and every sentence with its facts */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Facts"];
                };
            };
            /** @description The request is invalid; `detail` says what is wrong and where */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description The key is missing, wrong, expired or revoked */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description The role, the origin or the host is not allowed */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description There is no such report */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description Its content has been erased */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description Too many requests; `Retry-After` says when to try again */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description The server failed; its log has the details under the request id */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description The server is overloaded or stopping, or the request timed out; `Retry-After` says when to try again */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
        };
    };
    post_api_reports_id_reviews: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The report's id */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewReview"];
            };
        };
        responses: {
            /** @description The recorded decision */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ReviewRow"];
                };
            };
            /** @description The request is invalid; `detail` says what is wrong and where */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description The key is missing, wrong, expired or revoked */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description The role, the origin or the host is not allowed */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description There is no such report */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description Four-eyes review (`approve`, `dispose`) or the report's state forbids the decision, or a newer version has replaced the report */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description The report has been erased; its case can only be closed */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description Too many bytes */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description Too many requests; `Retry-After` says when to try again */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description The server failed; its log has the details under the request id */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description The server is overloaded or stopping, or the request timed out; `Retry-After` says when to try again */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
        };
    };
    post_api_reports_id_reviews_preview: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The report's id */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ReviewPreview"];
            };
        };
        responses: {
            /** @description The planned changes */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RevisionPlan"];
                };
            };
            /** @description The request is invalid; `detail` says what is wrong and where */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description The key is missing, wrong, expired or revoked */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description The role, the origin or the host is not allowed */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description There is no such report */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description The report has been erased */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description Too many bytes */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description Too many requests; `Retry-After` says when to try again */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description The server failed; its log has the details under the request id */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description The server is overloaded or stopping, or the request timed out; `Retry-After` says when to try again */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
        };
    };
    get_api_reports_id_validations: {
        parameters: {
            query?: {
                /** @description Maximum number of items in a page. */
                limit?: number | string;
                /** @description The `next` of the previous page. */
                after?: string;
            };
            header?: never;
            path: {
                /** @description The report's id */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of verdicts */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Page_Verdict"];
                };
            };
            /** @description The request is invalid; `detail` says what is wrong and where */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description The key is missing, wrong, expired or revoked */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description The role, the origin or the host is not allowed */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description There is no such report */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description Too many requests; `Retry-After` says when to try again */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description The server failed; its log has the details under the request id */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description The server is overloaded or stopping, or the request timed out; `Retry-After` says when to try again */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
        };
    };
    get_api_reports_id_versions: {
        parameters: {
            query?: {
                /** @description Maximum number of items in a page. */
                limit?: number | string;
                /** @description The `next` of the previous page. */
                after?: string;
            };
            header?: never;
            path: {
                /** @description The id of any version */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of versions, including erased ones */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Page_ReportRow"];
                };
            };
            /** @description The request is invalid; `detail` says what is wrong and where */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description The key is missing, wrong, expired or revoked */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description The role, the origin or the host is not allowed */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description There is no such report */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description Too many requests; `Retry-After` says when to try again */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description The server failed; its log has the details under the request id */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description The server is overloaded or stopping, or the request timed out; `Retry-After` says when to try again */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
        };
    };
    get_api_reviews: {
        parameters: {
            query?: {
                /** @description Maximum number of items in a page. */
                limit?: number | string;
                /** @description The `next` of the previous page. */
                after?: string;
                /**
                 * @description `open` (the default) or `decided`
                 * @example open
                 */
                status?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of the queue */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Page_Waiting"];
                };
            };
            /** @description The request is invalid; `detail` says what is wrong and where */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description The key is missing, wrong, expired or revoked */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description The role, the origin or the host is not allowed */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description Too many requests; `Retry-After` says when to try again */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description The server failed; its log has the details under the request id */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description The server is overloaded or stopping, or the request timed out; `Retry-After` says when to try again */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
        };
    };
    get_api_rules: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The rules, in their order */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RulesInForce"];
                };
            };
            /** @description The request is invalid; `detail` says what is wrong and where */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description The key is missing, wrong, expired or revoked */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description The role, the origin or the host is not allowed */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description Too many requests; `Retry-After` says when to try again */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description The server failed; its log has the details under the request id */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description The server is overloaded or stopping, or the request timed out; `Retry-After` says when to try again */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
        };
    };
    get_api_session: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The caller and the server */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SessionInfo"];
                };
            };
            /** @description The request is invalid; `detail` says what is wrong and where */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description The key is missing, wrong, expired or revoked */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description The role, the origin or the host is not allowed */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description Too many requests; `Retry-After` says when to try again */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description The server failed; its log has the details under the request id */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description The server is overloaded or stopping, or the request timed out; `Retry-After` says when to try again */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
        };
    };
    post_api_session: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SignIn"];
            };
        };
        responses: {
            /** @description Signed in; `Set-Cookie` sets the session's cookie */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SessionInfo"];
                };
            };
            /** @description The request is invalid; `detail` says what is wrong and where */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description The key is missing, wrong, expired or revoked */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description The role, the origin or the host is not allowed */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description Too many bytes */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description Too many failed attempts (ten per minute and address); `Retry-After` says when to try again */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description The server failed; its log has the details under the request id */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description The server is overloaded or stopping, or the request timed out; `Retry-After` says when to try again */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
        };
    };
    delete_api_session: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Signed out; the cookie is removed */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The request is invalid; `detail` says what is wrong and where */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description The key is missing, wrong, expired or revoked */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description The role, the origin or the host is not allowed */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description Too many requests; `Retry-After` says when to try again */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description The server failed; its log has the details under the request id */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description The server is overloaded or stopping, or the request timed out; `Retry-After` says when to try again */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
        };
    };
    get_api_transactions: {
        parameters: {
            query?: {
                /** @description Maximum number of items in a page. */
                limit?: number | string;
                /** @description The `next` of the previous page. */
                after?: string;
                /** @description Only transactions of this customer */
                user_id?: components["schemas"]["UserId"] | string;
                /** @description Only transactions of the customer of this investigation */
                investigation_id?: components["schemas"]["InvestigationId"] | string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of transactions */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Page_TransactionRow"];
                };
            };
            /** @description The request is invalid; `detail` says what is wrong and where */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description The key is missing, wrong, expired or revoked */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description The role, the origin or the host is not allowed */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description There is no investigation with this id */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description Too many requests; `Retry-After` says when to try again */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description The server failed; its log has the details under the request id */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description The server is overloaded or stopping, or the request timed out; `Retry-After` says when to try again */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
        };
    };
    post_api_transactions: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** @description By default at most 10,000 rows and 16 MiB */
        requestBody: {
            content: {
                "application/json": components["schemas"]["OneOrMany"];
            };
        };
        responses: {
            /** @description The outcome */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Intake"];
                };
            };
            /** @description The request is invalid; `detail` says what is wrong and where */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description The key is missing, wrong, expired or revoked */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description The role, the origin or the host is not allowed */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description A single object whose id already exists with different content */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description Too many bytes or rows */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description Too many requests; `Retry-After` says when to try again */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description The server failed; its log has the details under the request id */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description The server is overloaded or stopping, or the request timed out; `Retry-After` says when to try again */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
        };
    };
    get_health: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The server is alive */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Health"];
                };
            };
            /** @description The request is invalid; `detail` says what is wrong and where */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description The key is missing, wrong, expired or revoked */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description The role, the origin or the host is not allowed */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description Too many requests; `Retry-After` says when to try again */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description The server failed; its log has the details under the request id */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description The server can't read or write its store */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Unhealthy"];
                };
            };
        };
    };
    get_metrics: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OpenMetrics text */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/openmetrics-text": string;
                };
            };
            /** @description The request is invalid; `detail` says what is wrong and where */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description The key is missing, wrong, expired or revoked */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description The role, the origin or the host is not allowed */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description Too many requests; `Retry-After` says when to try again */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description The server failed; its log has the details under the request id */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description The server is overloaded or stopping, or the request timed out; `Retry-After` says when to try again */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
        };
    };
    post_process_agent: {
        parameters: {
            query?: never;
            header?: {
                /** @description 1 to 255 visible ASCII characters */
                "Idempotency-Key"?: string | null;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["Question"];
            };
        };
        responses: {
            /** @description The answer with its audit */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Answered"];
                };
            };
            /** @description The query is missing or empty */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description The key is missing, wrong, expired or revoked */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description The role, the origin or the host is not allowed */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description A request with the same idempotency key is under way */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description Too many bytes */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description The idempotency key was used with another body */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description Too many requests; `Retry-After` says when to try again */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description The worker failed, or the answer could not be recorded */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description The server is overloaded or stopping, or the request timed out; `Retry-After` says when to try again */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
        };
    };
    get_ready: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The server is ready for traffic */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Ready"];
                };
            };
            /** @description The request is invalid; `detail` says what is wrong and where */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description The key is missing, wrong, expired or revoked */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description The role, the origin or the host is not allowed */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description Too many requests; `Retry-After` says when to try again */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description The server failed; its log has the details under the request id */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description The server is not ready, for the given reasons */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NotReady"];
                };
            };
        };
    };
    post_v1_chat_completions: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** @description A chat completion request in OpenAI's format */
        requestBody: {
            content: {
                "application/json": Record<string, unknown>;
            };
        };
        responses: {
            /** @description A chat completion, or a stream of its chunks */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": Record<string, unknown>;
                };
            };
            /** @description Not a chat request */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": Record<string, unknown>;
                };
            };
            /** @description The key is missing, wrong, expired or revoked */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        error?: {
                            code?: string | null;
                            message?: string;
                            param?: string | null;
                            type?: string;
                        };
                    };
                };
            };
            /** @description The answer was refused because of its audit; the error's type is `countersign_refused` */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": Record<string, unknown>;
                };
            };
            /** @description No key is configured for the model's provider */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": Record<string, unknown>;
                };
            };
            /** @description Too many bytes */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": Record<string, unknown>;
                };
            };
            /** @description Too many requests; `Retry-After` says when to try again */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        error?: {
                            code?: string | null;
                            message?: string;
                            param?: string | null;
                            type?: string;
                        };
                    };
                };
            };
            /** @description The server failed; its log has the details under the request id */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        error?: {
                            code?: string | null;
                            message?: string;
                            param?: string | null;
                            type?: string;
                        };
                    };
                };
            };
            /** @description The provider can't be reached, or its response is not a chat completion */
            502: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": Record<string, unknown>;
                };
            };
            /** @description The server is overloaded or stopping, or the request timed out; `Retry-After` says when to try again */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        error?: {
                            code?: string | null;
                            message?: string;
                            param?: string | null;
                            type?: string;
                        };
                    };
                };
            };
            /** @description The provider took too long */
            504: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": Record<string, unknown>;
                };
            };
        };
    };
    get_v1_models: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A list of models in OpenAI's format */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": Record<string, unknown>;
                };
            };
            /** @description The request is invalid; `detail` says what is wrong and where */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        error?: {
                            code?: string | null;
                            message?: string;
                            param?: string | null;
                            type?: string;
                        };
                    };
                };
            };
            /** @description The key is missing, wrong, expired or revoked */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        error?: {
                            code?: string | null;
                            message?: string;
                            param?: string | null;
                            type?: string;
                        };
                    };
                };
            };
            /** @description The role, the origin or the host is not allowed */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        error?: {
                            code?: string | null;
                            message?: string;
                            param?: string | null;
                            type?: string;
                        };
                    };
                };
            };
            /** @description Too many requests; `Retry-After` says when to try again */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        error?: {
                            code?: string | null;
                            message?: string;
                            param?: string | null;
                            type?: string;
                        };
                    };
                };
            };
            /** @description The server failed; its log has the details under the request id */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        error?: {
                            code?: string | null;
                            message?: string;
                            param?: string | null;
                            type?: string;
                        };
                    };
                };
            };
            /** @description The server is overloaded or stopping, or the request timed out; `Retry-After` says when to try again */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        error?: {
                            code?: string | null;
                            message?: string;
                            param?: string | null;
                            type?: string;
                        };
                    };
                };
            };
        };
    };
}
