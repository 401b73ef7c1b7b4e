/** The distribution's response headers policy for pages and their parts. */
import { pageHeaders } from '../../system/site-headers.ts'

/** Pairs of name and value. Without Strict-Transport-Security: this front uses plain HTTP. */
export const securityHeaders: readonly string[] = Object.entries(pageHeaders).flat()
