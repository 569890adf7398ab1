/** MobX's face: what pages may use of mobx and mobx-react-lite. One copy, so that every page observes the same session. */
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
