/** The part of mobx and mobx-react-lite that pages may use. A single copy, so that every page observes the same session. */
export {
  action,
  autorun,
  computed,
  makeAutoObservable,
  observable,
  observableRef,
  observableShallow,
  reaction,
  runInAction,
  when,
} from 'mobx';
export { observer } from 'mobx-react-lite';
