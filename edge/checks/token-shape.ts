/** Is there exactly one thing that looks like a session token? Costs no cryptography. */
import { type AppCheck, refuse } from '../app-env.ts'
import { sessionTokenOf } from '../session-token.ts'

export const checkTokenShape: AppCheck = async (c, next) => {
  const { visit } = c.env
  const token = sessionTokenOf(visit.request.headers)
  if (token === undefined) {
    visit.memory.addresses.note(visit, 'forged')
    return refuse(c, 'sign-in-required', 'Sign in and send one session token.')
  }
  c.set('token', token)
  return next()
}
