import type { ServiceDefinition } from '../../contract/sdl/definition.ts';
import type { ServiceRefusal } from './runtime.ts';

/**
 * Refusals of services that a runtime can't run: an image as a process, a command as a container.
 */

/** Returns the refusal of an image where services run as processes only. */
export function refuseImage(service: ServiceDefinition): ServiceRefusal {
  const alternative = hasCommand(service)
    ? 'remove the image to run the command as a process on this machine'
    : 'give it a command in place of the image to run a process on this machine';
  return {
    expected:
      'no image, or a host that runs containers (hostdeck host --runtime container, or auto, with Docker or Podman)',
    sentence:
      `Service ${service.name} has an image, and this host runs commands as processes only. ` +
      'Start the host with "hostdeck host --runtime container", or "--runtime auto", where Docker ' +
      `or Podman answers; or ${alternative}.`,
  };
}

/** Returns the refusal of a service without a command where processes run commands. */
export function refuseWithoutCommand(service: ServiceDefinition): ServiceRefusal {
  return {
    expected: 'a command: this host runs commands as processes',
    sentence: `Service ${service.name} has no command: this host runs commands as processes. Give it a command, like ["node", "server.js"].`,
  };
}

/** Returns the refusal of a service without an image where all services are containers. */
export function refuseWithoutImage(service: ServiceDefinition): ServiceRefusal {
  const alternative = hasCommand(service)
    ? '; or start the host with "hostdeck host --runtime auto" to run the command as a process on this machine'
    : '';
  return {
    expected: 'an image: this host runs services as containers',
    sentence: `Service ${service.name} has no image, and this host runs services as containers only. Give it an image${alternative}.`,
  };
}

/** Returns the refusal of a service that has neither an image nor a command. */
export function refuseEmpty(service: ServiceDefinition): ServiceRefusal {
  return {
    expected: 'an image, or a command',
    sentence: `Service ${service.name} has no image and no command. Give it an image to run as a container, or a command to run as a process on this machine.`,
  };
}

/** Returns the refusal of an image while no container engine answers. */
export function refuseWithoutEngine(service: ServiceDefinition): ServiceRefusal {
  const alternative = hasCommand(service)
    ? ', or remove the image to run the command as a process on this machine'
    : '';
  return {
    expected: 'no image while no container engine answers',
    sentence: `Service ${service.name} has an image, and no container engine answers on this host. Start Docker or Podman and try again${alternative}.`,
  };
}

/** Returns true when the service can run as a process. */
export function hasCommand({ command }: ServiceDefinition): boolean {
  return (command[0] ?? '') !== '';
}
