export default function AgentsPage() {
  return <p>AgentsPage</p>
}
