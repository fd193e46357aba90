// Holds a page that breaks: the menu and the other pages stay.
import { Component, type ReactNode } from 'react'
import { Failed } from './states.tsx'

interface Props {
  /** Where one is: elsewhere it starts anew. */
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
