/**
 * The least a Node server can do: answers every request with bytes it was given at the start. It is what the
 * gate is compared with, in a process of its own. Ends when its parent lets go of the channel.
 */
import { createServer } from 'node:http'
import * as z from 'zod/mini'

const settings = z.object({ status: z.number(), headers: z.record(z.string(), z.string()), body: z.string() })

process.once('message', (message) => {
  const { status, headers, body } = settings.parse(message)
  const server = createServer((request, response) => {
    // The body is read, as it is at the gate; otherwise the connection could not be used again.
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
