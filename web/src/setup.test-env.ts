// Resets the document and the storage after every test.
import { cleanup, configure } from '@testing-library/react'
import { afterEach } from 'vitest'

// Generous, because a busy machine is slow.
configure({ asyncUtilTimeout: 5_000 })

afterEach(() => {
  cleanup()
  localStorage.clear()
})
