export function AuditsPage() {
  return <p>Audits</p>
}
