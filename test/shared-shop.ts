/**
 * One whole system for all files that need no system of their own, to save start time. Every test
 * there makes its own sales and shoppers, and none breaks a part of the system. No schedule runs: to look at all of
 * these sales each minute would take as long as the tests.
 */
import type { TestProject } from 'vitest/node'
import { setup as buildOnce } from './build-once.ts'
import { startStackProcess } from './journey/stack-process.ts'

declare module 'vitest' {
  interface ProvidedContext {
    shopUrl: string
    shopKey: string
  }
}

export async function setup(project: TestProject): Promise<() => Promise<void>> {
  await buildOnce(project)
  const shop = await startStackProcess({ demo: false, maxCopySeconds: 1, scheduled: false })
  project.provide('shopUrl', shop.url)
  project.provide('shopKey', shop.shopKey)
  return () => shop.stop()
}
