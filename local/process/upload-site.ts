/** Puts the built site into the bucket, as a deployment would: hashed files first, pages after them. */
import { readdir, readFile } from 'node:fs/promises'
import { extname, join } from 'node:path'

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

const hashedName = /\.[0-9A-Za-z]{8}\.[a-z0-9]+$/
const immutable = 'public, max-age=31536000, immutable'
const replaceable = 'public, max-age=30, s-maxage=60'

// The empty shop is only a beginning: once a sale is published, `control` writes this page.
const shopPage = 'index.html'

/** Uploads every file below `siteDir` to `bucketUrl`. Throws, naming the file, when one has no known type. */
export async function uploadSite(siteDir: string, bucketUrl: string): Promise<number> {
  const entries = await readdir(siteDir, { recursive: true, withFileTypes: true })
  const files = entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(siteDir.length + 1))
  const isHashed = (file: string) => hashedName.test(file)
  await Promise.all(files.filter(isHashed).map((file) => upload(file, immutable)))
  await Promise.all(files.filter((file) => !isHashed(file)).map((file) => upload(file, replaceable)))
  return files.length

  async function upload(file: string, cacheControl: string): Promise<void> {
    const contentType = contentTypes[extname(file)]
    if (contentType === undefined) throw new Error(`${file}: no content type is known for it`)
    const response = await fetch(`${bucketUrl}/${file}`, {
      method: 'PUT',
      headers: {
        'content-type': contentType,
        'cache-control': cacheControl,
        ...(file === shopPage && { 'if-none-match': '*' }),
      },
      body: await readFile(join(siteDir, file)),
    })
    if (file === shopPage && response.status === 412) return
    if (!response.ok) throw new Error(`${file}: the bucket answered ${response.status}`)
  }
}
