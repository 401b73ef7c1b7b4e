/**
 * The minimum a Node server can do, as the baseline for the gate: answers every request with fixed
 * bytes. Runs in a process of its own and ends when the channel to its parent closes.
 */
import { createServer } from 'node:http'
import * as z from 'zod/mini'

const settings = z.object({ status: z.number(), headers: z.record(z.string(), z.string()), body: z.string() })

process.once('message', (message) => {
  const { status, headers, body } = settings.parse(message)
  const server = createServer((request, response) => {
    // The body is read, as the gate does; otherwise the connection could not be reused.
    request.resume()
    request.once('end', () => {
      response.writeHead(status, headers)
      response.end(body)
    })
  }).listen(0, '127.0.0.1', () => {
    const address = server.address()
    process.send?.(typeof address === 'object' ? (address?.port ?? 0) : 0)
  })
})
process.once('disconnect', () => process.exit(0))
