/** Closes the window after each test of a component, and turns the real clock on again. */
import { cleanup } from '@testing-library/preact'
import { afterEach, vi } from 'vitest'

afterEach(() => {
  cleanup()
  vi.useRealTimers()
})
