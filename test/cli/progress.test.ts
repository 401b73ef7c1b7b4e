/** The bar of a long command. */
import { afterEach, expect, it, vi } from 'vitest'
import { startStep } from '../../cli/progress.ts'

afterEach(() => void vi.restoreAllMocks())

it('counts no further than its total, where more is done than was known at the start', () => {
  const written: string[] = []
  vi.spyOn(process.stderr, 'write').mockImplementation((text) => written.push(String(text)) > 0)
  const step = startStep('orders', 2)
  step.to(3)
  step.end()
  expect(written.join('')).toMatch(/ 3\/3 /)
  expect(written.join('')).not.toContain('3/2')
})
