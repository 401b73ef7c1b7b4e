/** Control calls only: does the caller run sales? */
import { type AppCheck, refuse } from '../app-env.ts'

export const checkRole: AppCheck = async (c, next) =>
  c.var.shopper.roles.includes('marketer') ? next() : refuse(c, 'role-required', 'Sign in as a marketer.')
