// Event types as people say them. The log itself, the API and the addresses of pages keep the types.

import { sentenceCase } from '@/components/ui/value.tsx'

const NAMES: Record<string, string> = {
  ANSWER_REQUESTED: 'Answer requested',
  ANSWER_RECORDED: 'Answer recorded',
  ANSWER_FAILED: 'Answer failed',
  AUDIT_LOG_CREATED: 'Answer audited',
  MODEL_CALLED: 'Model called',

  TRANSACTION_RECEIVED: 'Transaction received',
  FRAUD_ALERT_CREATED: 'Alert raised',
  INVESTIGATION_CREATED: 'Investigation opened',
  INVESTIGATION_ASSIGNED: 'Investigation assigned',
  SUPERVISOR_REVIEW_REQUESTED: 'Another report check requested',
  SUPERVISOR_REVIEW_COMPLETED: 'Requested report check completed',
  ANOMALY_FLAGGED: 'Anomaly noted',

  REPORT_REQUESTED: 'Report requested',
  REPORT_GENERATED: 'Report written',
  REPORT_FAILED: 'Report failed',
  REPORT_SKIPPED: 'Report not needed',
  REPORT_APPROVED: 'Report check passed',
  REPORT_NEEDS_REVIEW: 'Report check: needs review',
  REVIEW_DECIDED: 'Reviewer decision',
  REPORT_ADDENDUM_ADDED: 'Addendum added',

  AGENT_STARTED: 'Agent started',
  AGENT_STOPPED: 'Agent stopped',
  EVENT_DEAD_LETTERED: 'Dead letter created',
  DEAD_LETTER_CHANGED: 'Dead letter changed',
  ACCESS_DENIED: 'Access denied',
  KEY_CHANGED: 'Access key changed',
  PAYLOAD_ERASED: 'Content erased',
  RULES_LOADED: 'Rules loaded',
  CHECKPOINT_WITNESSED: 'Checkpoint witnessed',
}

export function eventName(type: string): string {
  if (Object.hasOwn(NAMES, type)) return NAMES[type] ?? type
  return sentenceCase(type.toLowerCase())
}
