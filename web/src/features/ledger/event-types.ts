// The event types that this version writes, by topic. The log may contain others, which are shown too. A test compares this
// list with `crates/domain/src/event.rs`; the names on screen are in `ledger/event-names.ts`.

export const EVENT_TYPES: [group: string, types: string[]][] = [
  ['Answers', ['ANSWER_REQUESTED', 'ANSWER_RECORDED', 'ANSWER_FAILED', 'AUDIT_LOG_CREATED', 'MODEL_CALLED']],
  [
    'Investigations',
    [
      'TRANSACTION_RECEIVED',
      'FRAUD_ALERT_CREATED',
      'INVESTIGATION_CREATED',
      'INVESTIGATION_ASSIGNED',
      'SUPERVISOR_REVIEW_REQUESTED',
      'SUPERVISOR_REVIEW_COMPLETED',
      'ANOMALY_FLAGGED',
    ],
  ],
  [
    'Reports',
    [
      'REPORT_REQUESTED',
      'REPORT_GENERATED',
      'REPORT_FAILED',
      'REPORT_SKIPPED',
      'REPORT_APPROVED',
      'REPORT_NEEDS_REVIEW',
      'REVIEW_DECIDED',
      'REPORT_ADDENDUM_ADDED',
    ],
  ],
  [
    'System',
    [
      'AGENT_STARTED',
      'AGENT_STOPPED',
      'EVENT_DEAD_LETTERED',
      'DEAD_LETTER_CHANGED',
      'ACCESS_DENIED',
      'KEY_CHANGED',
      'PAYLOAD_ERASED',
      'RULES_LOADED',
      'CHECKPOINT_WITNESSED',
    ],
  ],
]
