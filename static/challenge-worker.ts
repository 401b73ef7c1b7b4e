/** Solves challenges in a worker. It is a file of its own, because the CSP forbids workers from a blob. */
import 'altcha/workers/pbkdf2'
