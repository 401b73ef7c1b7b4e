import { expect, it } from 'vitest'
import { remindAheadMs } from '../../core/reminder.ts'
import { reminderConsent } from '../../functions/entries/handlers.ts'

it('the consent promises the time at which reminders leave', () => {
  expect(reminderConsent('en', 'start')).toContain('about ten minutes before')
  expect(remindAheadMs).toBe(10 * 60_000)
})
