// The report check: its result, its score as a sum, and its findings.
import { Link } from 'wouter'
import type { Schemas } from '@/api/client.ts'
import { Badge } from '@/components/ui/badge.tsx'
import { Panel } from '@/components/ui/panel.tsx'
import { When } from '@/components/ui/value.tsx'
import { checkedBy, Narrative, readPoints } from './narrative.tsx'
import { breakdown, type Deduction, type Issue, SCORE_MAX, sum } from './score.ts'
import { IssueNote } from './section.tsx'
import { WeighedEvidence } from './weighed-evidence.tsx'

export function PassBadge({ passed }: { passed: boolean | null | undefined }) {
  if (passed === null || passed === undefined) return <Badge tone="neutral">Not checked yet</Badge>
  return passed ? <Badge tone="safe">Report check passed</Badge> : <Badge tone="warning">Needs review</Badge>
}

/** `issues` are those that do not belong to a section. */
export function SupervisorPanel({ verdict, issues }: { verdict: Schemas['Verdict']; issues: Issue[] }) {
  const { steps, passMark, addsUp, score } = breakdown(verdict)
  // Verdicts of older versions have no structured feedback.
  const feedback = verdict.structured_feedback
  const isShownAsWeakness = ({ description }: Issue) =>
    feedback?.evidence?.weaknesses.some(({ detail }) => detail === description) ?? false
  return (
    <Panel
      title="Report check"
      aside={
        <span className="flex items-center gap-3 text-muted text-sm">
          <When at={verdict.validated_at} />
          <Link href={`/ledger/${verdict.id}`} className="text-accent underline underline-offset-2">
            View on ledger
          </Link>
        </span>
      }
    >
      <div className="flex flex-col gap-3 px-4 py-3">
        <p className="flex flex-wrap items-baseline gap-x-3 gap-y-1">
          <PassBadge passed={verdict.passed} />
          <span data-testid="score-sum" className="font-semibold text-lg">
            {sum({ steps, score, passMark, addsUp })}
          </span>
          {passMark !== null && <span className="text-muted text-sm">Pass mark {passMark}</span>}
        </p>
        <ScoreBar score={score} passMark={passMark} passed={verdict.passed} />
        {steps.length > 0 && <Steps steps={steps} />}
        {!addsUp && verdict.deductions && (
          <p className="text-flagged text-sm">The deductions do not add up to the recorded score.</p>
        )}
        {issues
          .filter((issue) => !isShownAsWeakness(issue))
          .map((issue) => (
            <IssueNote key={`${issue.type} ${issue.description}`} issue={issue} />
          ))}
        <Feedback text={verdict.feedback} />
        {feedback?.evidence && (
          <WeighedEvidence
            weighed={feedback.evidence}
            stated={feedback.stated_strength}
            strength={feedback.justification_strength}
          />
        )}
        <Narrative points={readPoints(verdict.narrative)} />
        <p className="text-muted text-sm">{checkedBy(verdict.assessment)}</p>
      </div>
    </Panel>
  )
}

/** The first line gives the result; the rest repeats the issues. */
function Feedback({ text }: { text: string }) {
  const [first = '', ...rest] = text.split('\n')
  return (
    <div className="text-sm">
      <p className="foreign">{first}</p>
      {rest.length > 0 && (
        <details>
          <summary className="text-muted">Full feedback</summary>
          <p className="foreign py-1">{rest.join('\n')}</p>
        </details>
      )}
    </div>
  )
}

function ScoreBar({ score, passMark, passed }: { score: number; passMark: number | null; passed: boolean }) {
  return (
    <div aria-hidden="true" className="relative h-2 max-w-md rounded-sm bg-sunken">
      <div
        className={`h-full rounded-sm ${passed ? 'bg-safe' : 'bg-warning'}`}
        style={{ width: `${Math.max(0, Math.min(SCORE_MAX, score))}%` }}
      />
      {passMark !== null && <div className="absolute -top-1 -bottom-1 w-px bg-ink" style={{ left: `${passMark}%` }} />}
    </div>
  )
}

function Steps({ steps }: { steps: Deduction[] }) {
  return (
    <table className="max-w-2xl text-sm">
      <caption className="sr-only">Deductions in order</caption>
      <thead className="text-left text-muted text-xs">
        <tr>
          <th className="py-1 pr-4 font-normal">Points</th>
          <th className="py-1 pr-4 font-normal">Reason</th>
          <th className="py-1 text-right font-normal">Remaining</th>
        </tr>
      </thead>
      <tbody>
        {steps.map((step, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the same fault can cost twice, and steps never move.
          <tr key={at} className="border-line border-t align-baseline">
            <td className="whitespace-nowrap py-1 pr-4 font-medium">−{step.points}</td>
            <td className="foreign py-1 pr-4">
              {step.reason} {step.rule !== step.reason && <span className="text-muted">({step.rule})</span>}
            </td>
            <td className="py-1 text-right">{step.remaining}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}
