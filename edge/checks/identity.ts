/** Whose token is it? The answer never says what was wrong with a token. */
import { type AppCheck, refuse } from '../app-env.ts'

export const checkIdentity: AppCheck = async (c, next) => {
  const { visit } = c.env
  const shopper = await visit.memory.tokens.verify(c.var.token.text)
  if (shopper === undefined || shopper === 'over') {
    if (shopper === undefined) visit.memory.addresses.note(visit, 'forged')
    return refuse(c, 'sign-in-required', 'Sign in again.')
  }
  c.set('shopper', shopper)
  return next()
}
