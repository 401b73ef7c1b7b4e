/**
 * One whole system for all files that need no system of their own, to save start time. Every test
 * there makes its own sales and shoppers, and none breaks a part of the system.
 */
import type { TestProject } from 'vitest/node'
import { setup as buildOnce } from './build-once.ts'
import { startStackProcess } from './journey/stack-process.ts'

declare module 'vitest' {
  interface ProvidedContext {
    shopUrl: string
  }
}

export async function setup(project: TestProject): Promise<() => Promise<void>> {
  await buildOnce(project)
  const shop = await startStackProcess({ demo: false, maxCopySeconds: 1 })
  project.provide('shopUrl', shop.url)
  return () => shop.stop()
}
