/** A program of shard threads that cannot be loaded. */
throw new Error("a module of the thread is missing");
