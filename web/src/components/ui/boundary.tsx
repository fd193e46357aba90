// Catches an error in one page, so that the menu and the other pages keep working.
import { Component, type ReactNode } from 'react'
import { Failed } from './states.tsx'

interface Props {
  /** The current location. A new location clears the error. */
  at: string
  children: ReactNode
}

export class Boundary extends Component<Props, { problem: unknown }> {
  override state: { problem: unknown } = { problem: null }

  static getDerivedStateFromError(problem: unknown) {
    return { problem }
  }

  override componentDidUpdate({ at }: Props) {
    if (at !== this.props.at && this.state.problem !== null) this.setState({ problem: null })
  }

  override render() {
    const { problem } = this.state
    if (problem === null) return this.props.children
    return <Failed what="This page" problem={problem} retry={() => this.setState({ problem: null })} />
  }
}
