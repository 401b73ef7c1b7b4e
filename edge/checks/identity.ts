/** Whose token is it? The answer never says what was wrong with a token. */
import { type AppCheck, refuse } from '../app-env.ts'
import { noteConduct } from '../conduct.ts'

export const checkIdentity: AppCheck = async (c, next) => {
  const { visit } = c.env
  const shopper = await visit.memory.tokens.verify(c.var.token.text)
  if (shopper === undefined) {
    noteConduct(visit, 'failed-token')
    return refuse(c, 'sign-in-required', 'Sign in again.')
  }
  c.set('shopper', shopper)
  return next()
}
