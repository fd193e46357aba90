// The provenance of a report: writer, requester, hashes and position on the ledger.
import { Link } from 'wouter'
import type { Schemas } from '@/api/client.ts'
import { Badge } from '@/components/ui/badge.tsx'
import { DefinitionList, Panel } from '@/components/ui/panel.tsx'
import { Hash, When } from '@/components/ui/value.tsx'
import type { Generation } from './queries.ts'
import { writerOf } from './sections.ts'

interface Props {
  report: Schemas['Report']
  verdict: Schemas['Verdict'] | undefined
  generation: Generation | undefined
}

export function Provenance({ report, verdict, generation }: Props) {
  const writers = [...new Set(report.sections.map(writerOf))]
  const templates = [...new Set(report.sections.map(({ template }) => template))]
  return (
    <Panel title="Provenance">
      <div className="px-4 py-3">
        <DefinitionList
          rows={[
            ['Written', report.generated_at ? <When key="at" at={report.generated_at} /> : 'Not stated'],
            ['Writer', writers.join('; ') || 'Not stated'],
            ['Templates', templates.join(', ') || 'Not stated'],
            ['Requested by', generation?.requestedBy ?? requestedBy(report)],
            ['Type', `${report.report_type}, regulatory impact ${report.regulatory_impact}`],
            ['Content hash', report.content_hash ? <Hash key="content" value={report.content_hash} /> : 'Not stated'],
            ['Record hash', <Hash key="record" value={report.context_sha256} />],
            ['Ledger', generation ? <OnLedger key="ledger" generation={generation} /> : `Position ${report.seq}`],
            ['Report check', <TextUnchanged key="unchanged" verdict={verdict} />],
          ]}
        />
      </div>
    </Panel>
  )
}

/** The requester of a report that no key requested. */
function requestedBy({ regeneration_of, version }: Schemas['Report']): string {
  return regeneration_of ? `An agent, to replace version ${version - 1}` : 'An agent, when the alert was raised'
}

function OnLedger({ generation }: { generation: Generation }) {
  return (
    <Link href={`/ledger/${generation.eventId}`} className="text-accent underline underline-offset-2">
      Position {generation.seq}
    </Link>
  )
}

/** Compares the content hash before and after the report check. */
function TextUnchanged({ verdict }: { verdict: Schemas['Verdict'] | undefined }) {
  if (!verdict?.hash_before || !verdict.hash_after) return 'Not stated'
  if (verdict.hash_before === verdict.hash_after) return <Badge tone="safe">Text unchanged</Badge>
  return <Badge tone="flagged">Text changed during the check</Badge>
}
