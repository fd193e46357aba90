// A case for tests: an alert, its investigation, its report and the report check, as the API returns them.
import type { Schemas } from '@/api/client.ts'

export const CASE_ID = '05925009-a7e2-5998-a1e3-e332eb700742'
export const REPORT_ID = '93b10b3d-305f-50ad-a95f-fa5ebc910390'
export const ALERT_ID = '7d9fcada-eb31-5e57-8756-8d49abf3baa5'
const AT = '2026-11-15T20:48:32.846006Z'

export const SIGNALS = {
  velocity_anomaly: {
    outcome: 'fired',
    value: 10,
    threshold: 5,
    unit: 'transactions in 1 hour',
    contribution: 45,
    explanation: 'The customer made 10 transactions in 1 hour, against a limit of 5.',
    baseline: { usual_per_day: 1.36 },
  },
  amount_deviation: {
    outcome: 'fired',
    value: 4.72,
    threshold: 3.5,
    unit: 'modified z-score',
    contribution: 50,
    explanation: 'The amount of TRY 91,941.11 was 153 times the median.',
    baseline: { median_amount: { amount: '600.99', currency: 'TRY' } },
  },
  geographic_inconsistency: {
    outcome: 'clear',
    value: 47.9,
    threshold: 1000,
    unit: 'km/h',
    contribution: 0,
    explanation: 'The speed stayed within what travel allowed.',
    details: { from_country: 'SG', to_country: 'NO', distance_km: 10052, speed_kmh: 47.9, elapsed: '9 days' },
  },
}

export function alertRow(overrides: Partial<Schemas['AlertRow']> = {}): Schemas['AlertRow'] {
  return {
    alert_id: ALERT_ID,
    user_id: 'user-61581509',
    severity: 'critical',
    score: 95,
    metadata: { transaction_id: 'tx-1', signals: SIGNALS },
    source: 'detector',
    status: 'reported',
    created_at: AT,
    investigation_id: CASE_ID,
    event_id: '01a1e0f8-044e-74b3-af8e-935cb9f958f1',
    seq: 10,
    ...overrides,
  }
}

export function caseRow(overrides: Partial<Schemas['InvestigationRow']> = {}): Schemas['InvestigationRow'] {
  return {
    investigation_id: CASE_ID,
    alert_id: ALERT_ID,
    user_id: 'user-61581509',
    severity: 'critical',
    risk_score: 95,
    transaction_id: 'tx-1',
    status: 'in_review',
    created_at: AT,
    assigned_to: null,
    report_id: REPORT_ID,
    signals: SIGNALS,
    event_id: '01a1e0f8-0450-75db-94a3-c2b55abe6dee',
    seq: 11,
    ...overrides,
  }
}

export function reportRow(overrides: Partial<Schemas['ReportRow']> = {}): Schemas['ReportRow'] {
  return {
    id: REPORT_ID,
    investigation_id: CASE_ID,
    fraud_detection_id: ALERT_ID,
    report_type: 'full',
    severity: 'CRITICAL',
    risk_score: 95,
    generated_at: AT,
    version: 1,
    is_current: true,
    content_hash: '6c'.repeat(32),
    status: 'in_review',
    passed: false,
    validation_score: 93,
    seq: 12,
    ...overrides,
  }
}

export function report(overrides: Partial<Schemas['Report']> = {}): Schemas['Report'] {
  const written = (section: Schemas['Section'], words: number): Schemas['WrittenSection'] => ({
    section,
    words,
    written_by: 'builtin',
    template: 'builtin-2',
    attempts: 1,
    facts: [],
  })
  return {
    ...reportRow(),
    executive_summary: 'The amount of TRY 91,941.11 was unusual.',
    fraud_explanation: 'It was 153 times the median.',
    timeline_narrative: 'It happened on 15 November 2026.',
    risk_justification: 'Amount deviation contributed 50 points.',
    investigation_narrative: 'The account holder `***1509` made a transfer.',
    recommended_next_steps: ['Contact the account holder.'],
    regulatory_impact: 'high',
    markdown_content: '# Investigation Report',
    structured_data: { timeline_events: [{ event: 'Account opened.', timestamp: AT }] },
    sections: [written('executive_summary', 121), written('fraud_explanation', 12)],
    context: {
      transaction: { amount: { amount: '91941.11', currency: 'TRY' } },
      signals: [{ name: 'amount_deviation' }],
    },
    context_sha256: '54'.repeat(32),
    requesters: [],
    ...overrides,
  }
}

export function verdict(overrides: Partial<Schemas['Verdict']> = {}): Schemas['Verdict'] {
  return {
    id: '01a1e0f8-047e-7c34-a902-cc8e3f4d5024',
    report_id: REPORT_ID,
    passed: false,
    validation_score: 93,
    issues: [
      {
        type: 'completeness',
        severity: 'medium',
        description: 'Fraud explanation is short.',
        section: 'fraud_explanation',
      },
      { type: 'anomaly', severity: 'low', description: 'Seven alerts within one hour.' },
    ],
    feedback: 'See the issues.',
    structured_feedback: {
      completeness_check: false,
      consistency_check: true,
      justification_strength: 'strong',
      score_severity_alignment: true,
      sections_missing: [],
      sections_present: [],
      timeline_present: true,
    },
    validated_at: AT,
    seq: 13,
    deductions: [
      { points: 5, reason: 'word_range fraud_explanation', rule: 'medium_issue' },
      { points: 2, reason: 'model_remark', rule: 'low_issue' },
    ],
    pass_mark: 70,
    hash_before: '6c'.repeat(32),
    hash_after: '6c'.repeat(32),
    ...overrides,
  }
}

export function investigation(overrides: Partial<Schemas['Investigation']> = {}): Schemas['Investigation'] {
  return {
    ...caseRow(),
    alert: alertRow(),
    transaction: transactionRow(),
    reports: [reportRow()],
    reviews: [],
    anomalies: [],
    events: [{ event_id: alertRow().event_id, event_type: 'FRAUD_ALERT_CREATED', occurred_at: AT, seq: 10 }],
    events_truncated: false,
    ...overrides,
  }
}

export function transactionRow(overrides: Partial<Schemas['TransactionRow']> = {}): Schemas['TransactionRow'] {
  return {
    transaction_id: 'tx-1',
    user_id: 'user-61581509',
    amount: { amount: '91941.11', currency: 'TRY' },
    occurred_at: AT,
    merchant: 'Rookery Transfer',
    recorded_at: AT,
    event_id: '01a1e0f8-044c-7d2c-b8c8-5917452949c5',
    seq: 9,
    ...overrides,
  }
}

/** Strings that try to be executed or rendered. */
export const HOSTILE = [
  '<script>window.taken = 1</script>',
  '<img src=x onerror="window.taken = 1">',
  '<svg onload=window.taken=1>',
  '[x](javascript:window.taken=1)',
  '![x](https://example.org/pixel.png)',
  '\u202eevil\u202c \u200bhidden',
]
