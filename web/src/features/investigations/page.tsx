export default function InvestigationsPage() {
  return <p>InvestigationsPage</p>
}
