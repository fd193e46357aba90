export default function SignInPage() {
  return <p>SignInPage</p>
}
