// What each agent does, and what stops while it is paused.

interface Duty {
  does: string
  whilePaused: string
}

const DUTIES: Record<string, Duty> = {
  detector: {
    does: 'Compares each transaction with the customer’s earlier ones and raises alerts.',
    whilePaused: 'Transactions are not examined and no alerts are raised',
  },
  orchestrator: {
    does: 'Opens an investigation for each alert that needs one, and requests new versions of reports that were sent back.',
    whilePaused: 'No investigations are opened, and no new versions of reports are requested',
  },
  reporter: {
    does: 'Writes the report for an alert from its stored facts.',
    whilePaused: 'No reports are written',
  },
  supervisor: {
    does: 'Checks every report against its facts, and watches investigations for anomalies.',
    whilePaused: 'Reports are not checked, and no anomalies are noted',
  },
  auditor: {
    does: 'Audits answers with the configured model when no caller waits for the verdict.',
    whilePaused: 'Answers that are audited after delivery stay pending',
  },
  mirror: {
    does: 'Copies each audit log to the configured Supabase project.',
    whilePaused: 'No audit logs are copied',
  },
  webhooks: {
    does: 'Posts short, signed notices of selected events to the configured addresses.',
    whilePaused: 'No webhooks are sent',
  },
}

const UNKNOWN: Duty = { does: 'Handles events from the log.', whilePaused: 'Its events are not handled' }

export function duty(agent: string): Duty {
  return Object.hasOwn(DUTIES, agent) ? (DUTIES[agent] ?? UNKNOWN) : UNKNOWN
}
