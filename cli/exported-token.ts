/**
 * The rule that a token is sent to one system only: the one that it was made for. The environment names a token and its
 * system together, as SLUICE_TOKEN and SLUICE_URL.
 */

/** SLUICE_URL and SLUICE_TOKEN; undefined when they are not set. */
export type Environment = { url: string | undefined; token: string | undefined }

/** `token` is undefined when none is set; `detail` says why the one that is set stays here, and what to do. */
export type ExportedToken = { ok: true; token: string | undefined } | { ok: false; detail: string }

/**
 * SLUICE_TOKEN, if it may be sent to the system at `target`: only when SLUICE_URL has the same origin.
 * @throws RangeError when SLUICE_URL is not an http or https URL
 */
export function exportedToken({ url, token }: Environment, target: string): ExportedToken {
  const owner = url === undefined ? undefined : checkedUrl(url, 'SLUICE_URL')
  if (token === undefined) return { ok: true, token }
  if (owner !== undefined && new URL(owner).origin === new URL(target).origin) return { ok: true, token }
  const remedy =
    owner === undefined
      ? 'set SLUICE_URL to the system that the token was made for'
      : `it belongs to ${owner} (SLUICE_URL). Give this system's token with --token`
  return { ok: false, detail: `SLUICE_TOKEN is not sent to ${target}: ${remedy}` }
}

/** Whether `url` is on the loopback interface: the local system, with its own sign-in and without a certificate. */
export function isThisMachine(url: string | URL): boolean {
  return ['127.0.0.1', 'localhost', '[::1]'].includes(new URL(url).hostname)
}

/**
 * `url` without a slash at its end, so that paths can follow.
 * @throws RangeError that names `source`, for an address that is not an http or https URL
 */
export function checkedUrl(url: string, source: string): string {
  if (!/^https?:$/.test(URL.parse(url)?.protocol ?? ''))
    throw new RangeError(`${source}: "${url}" is not an http address`)
  return url.replace(/\/+$/, '')
}
