// What each agent is for, in a sentence, and what waits while it is paused.

interface Duty {
  does: string
  whilePaused: string
}

const DUTIES: Record<string, Duty> = {
  detector: {
    does: 'Measures each transaction against its customer’s own earlier ones and raises alerts.',
    whilePaused: 'No transaction is measured and no new alert is raised',
  },
  orchestrator: {
    does: 'Opens an investigation for each alert that needs one, and has reports written again after a review.',
    whilePaused: 'Alerts open no investigation, and reports that were sent back are not asked for again',
  },
  reporter: {
    does: 'Writes the report of an alert from its stored facts.',
    whilePaused: 'No report is written',
  },
  supervisor: {
    does: 'Judges every report against its facts, and watches investigations for what is unusual about them.',
    whilePaused: 'Reports stay without a verdict, and nobody is told that one needs a review',
  },
  auditor: {
    does: 'Judges answers with the configured model where nobody waits for the verdict.',
    whilePaused: 'Answers whose audit follows later stay pending',
  },
  mirror: {
    does: 'Copies each audit log to the configured Supabase project.',
    whilePaused: 'No audit log is copied',
  },
  webhooks: {
    does: 'Posts a short, signed notice of chosen events to the addresses that asked for it.',
    whilePaused: 'No notice is sent',
  },
}

const UNKNOWN: Duty = { does: 'Handles events of the log.', whilePaused: 'Its events are not handled' }

export function duty(agent: string): Duty {
  return Object.hasOwn(DUTIES, agent) ? (DUTIES[agent] ?? UNKNOWN) : UNKNOWN
}
