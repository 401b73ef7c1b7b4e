/**
 * The Hono half of the gate: one small app per funnel, its checks as middlewares in their order. The apps do
 * not look at the path again. It was judged once, on the raw bytes, and a second reading of it (decoded,
 * joined to a host header) could come to another opinion.
 */
import { Hono } from 'hono/tiny'
import { type AppCheck, type AppEnv, refuse } from './app-env.ts'

/** An app that lets a request pass `checks` one after the other; the last of them must answer or forward. */
export function createApp(checks: readonly AppCheck[]): Hono<AppEnv> {
  const app = new Hono<AppEnv>()
  app.use('*', ...checks)
  // Reached only if a check forgot to answer: a request nobody vouched for goes nowhere.
  app.notFound((c) => refuse(c, 'not-found', 'No such address.'))
  app.onError((error) => {
    throw error
  })
  return app
}
