type Environment = Readonly<Record<string, string | undefined>>;

/** Matches the variables that hold a token, or lead to one. */
const secrets = /^HOSTDECK_TOKEN/;

/** Returns the environment of a command that a person chose, without the tokens of services. */
export function childEnvironment(env: Environment): Environment {
  return Object.fromEntries(Object.entries(env).filter(([name]) => !secrets.test(name)));
}
