/** Builds the deployed bundles once per run, so that every test drives what is shipped. */
import { build } from '../build.ts'

export async function setup(): Promise<void> {
  await build()
}
