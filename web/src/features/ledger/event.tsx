export default function EventPage({ id }: { id: string }) {
  return <p>{id}</p>
}
