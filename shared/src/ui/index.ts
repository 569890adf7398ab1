/// <reference path="../css.d.ts" />
import './tokens.css';
import './base.css';

export { Button, type ButtonProps, IconButton } from './button';
export { Carousel } from './carousel';
export { Checkbox, Chip, Segmented, Switch, Tabs } from './choices';
export { classNames } from './class-names';
export { confirm } from './confirm';
export { CopyButton, copyText } from './copy-button';
export { Countdown } from './countdown';
export { Empty, type EmptyProps, ErrorState } from './empty';
export { Icon, type IconName } from './icon';
export { Card, Cell, CellGroup, PageBody, Section, StickyBar, VisuallyHidden } from './layout';
export { LoadMore, Skeleton, Waiting } from './loading';
export { Dialog, RemoteName } from './overlay';
export { closeOverlays, navigateFromOverlays } from './overlay-stack';
export { Picture } from './picture';
export { Price } from './price';
export { preloadSafeHtml, SafeHtml } from './safe-html';
export { Sheet } from './sheet';
export { Spinner } from './spinner';
export { Stepper } from './stepper';
export { Badge, Notice, Tag, type Tone } from './tag';
export { notify, toast } from './toast';
