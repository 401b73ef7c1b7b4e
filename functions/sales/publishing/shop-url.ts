/**
 * The address of the shop, which every deployment publishes with its release. The functions that
 * publish pages read it there: the environment of `control` has no room for it, and the address of a
 * shop without a domain is known only after the functions are deployed.
 */
import * as z from 'zod/mini'
import { readJson } from '../../../core/lib/parse.ts'
import type { Site } from '../../lib/shop/shop.ts'

/** Also names the commit of the deployment. Public: neither gives access. */
export const releaseFile = 'release.json'

const release = z.object({ shopUrl: z.url('must be an address') })

/** Undefined before the first deployment of pages is finished. */
export async function shopUrlOf(site: Pick<Site, 'read'>): Promise<string | undefined> {
  const text = await site.read(releaseFile)
  const read = text === undefined ? undefined : readJson(release, text)
  return read?.ok ? read.value.shopUrl : undefined
}
