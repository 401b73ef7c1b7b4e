// An empty module: what a start of Node costs by itself.
export {}
