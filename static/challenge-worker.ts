/** The worker that works a challenge out, as a file of its own: a strict content policy runs no worker from a blob. */
import 'altcha/workers/pbkdf2'
