/** Uploads built pages and their parts into the bucket like a deployment: hashed files first, pages after them. */
import { readdir, readFile } from 'node:fs/promises'
import { extname, join } from 'node:path'
import { slicesOf } from '../../core/lib/slices.ts'
import { cacheControlOf, isHashed, releaseFile } from '../../system/site-objects.ts'

const contentTypes: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.json': 'application/json',
  '.png': 'image/png',
  '.webp': 'image/webp',
  '.woff2': 'font/woff2',
  '.map': 'application/json',
  '.txt': 'text/plain; charset=utf-8',
  '.ico': 'image/x-icon',
}

/** Each takes two of this process's open files, which are few on some machines. */
const atOnce = 8

/**
 * Uploads every file below `siteDir` to `bucketUrl`.
 * @throws with the file's name, when its type is unknown
 */
export async function uploadSite(siteDir: string, bucketUrl: string): Promise<void> {
  const entries = await readdir(siteDir, { recursive: true, withFileTypes: true })
  const files = entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(siteDir.length + 1))
  const { true: hashed = [], false: pages = [] } = Object.groupBy(files, (file) => `${isHashed(file)}`)
  for (const some of [...slicesOf(hashed, atOnce), ...slicesOf(pages, atOnce)]) await Promise.all(some.map(upload))

  async function upload(file: string): Promise<void> {
    await put(file, cacheControlOf(file), await readFile(join(siteDir, file)), bucketUrl)
  }
}

/** Names the address of the shop, as the last step of a deployment does. */
export async function uploadRelease(shopUrl: string, bucketUrl: string): Promise<void> {
  await put(releaseFile, 'no-store', JSON.stringify({ commit: null, shopUrl }), bucketUrl)
}

async function put(
  file: string,
  cacheControl: string,
  body: string | Buffer<ArrayBuffer>,
  bucketUrl: string,
): Promise<void> {
  const contentType = contentTypes[extname(file)]
  if (contentType === undefined) throw new Error(`${file}: no content type is known for it`)
  const headers = { 'content-type': contentType, 'cache-control': cacheControl }
  const response = await fetch(`${bucketUrl}/${file}`, { method: 'PUT', headers, body })
  if (!response.ok) throw new Error(`${file}: the bucket answered ${response.status}`)
}
