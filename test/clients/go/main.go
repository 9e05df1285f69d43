// Command clients drives an API server with client-go: typed, dynamic and metadata informers list and watch what a
// typed and a dynamic client create, apply and delete. It prints a line per step and ends with an error at the first
// that fails.
package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	corev1apply "k8s.io/client-go/applyconfigurations/core/v1"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/dynamic/dynamicinformer"
	"k8s.io/client-go/informers"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/metadata"
	"k8s.io/client-go/metadata/metadatainformer"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/cache"
	"k8s.io/client-go/tools/clientcmd"
)

const (
	namespace = "default"
	patience  = 20 * time.Second
)

var (
	configMaps  = schema.GroupVersionResource{Version: "v1", Resource: "configmaps"}
	definitions = schema.GroupVersionResource{Group: "apiextensions.k8s.io", Version: "v1", Resource: "customresourcedefinitions"}
	gadgets     = schema.GroupVersionResource{Group: "clients.test", Version: "v1", Resource: "gadgets"}
)

func main() {
	if len(os.Args) != 2 {
		fail(errors.New("usage: clients KUBECONFIG"))
	}
	config, err := clientcmd.BuildConfigFromFlags("", os.Args[1])
	if err != nil {
		fail(err)
	}
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	if err := run(ctx, config); err != nil {
		fail(err)
	}
	fmt.Println("done")
}

func fail(err error) {
	fmt.Fprintln(os.Stderr, "error:", err)
	os.Exit(1)
}

func run(ctx context.Context, config *rest.Config) error {
	typed, err := kubernetes.NewForConfig(config)
	if err != nil {
		return err
	}
	untyped, err := dynamic.NewForConfig(config)
	if err != nil {
		return err
	}
	bare, err := metadata.NewForConfig(config)
	if err != nil {
		return err
	}
	if err := defineGadgets(ctx, untyped); err != nil {
		return fmt.Errorf("defining gadgets: %w", err)
	}
	seen, err := startInformers(ctx, typed, untyped, bare)
	if err != nil {
		return err
	}
	if err := typedWrites(ctx, typed, seen); err != nil {
		return fmt.Errorf("typed: %w", err)
	}
	if err := dynamicWrites(ctx, untyped, seen); err != nil {
		return fmt.Errorf("dynamic: %w", err)
	}
	return nil
}

// informersOf holds one informer of each sort.
type informersOf struct {
	typed, dynamic, metadata cache.SharedIndexInformer
}

func startInformers(ctx context.Context, typed kubernetes.Interface, untyped dynamic.Interface, bare metadata.Interface) (*informersOf, error) {
	seen := &informersOf{
		typed:    informers.NewSharedInformerFactoryWithOptions(typed, 0, informers.WithNamespace(namespace)).Core().V1().ConfigMaps().Informer(),
		dynamic:  dynamicinformer.NewDynamicSharedInformerFactory(untyped, 0).ForResource(gadgets).Informer(),
		metadata: metadatainformer.NewSharedInformerFactory(bare, 0).ForResource(configMaps).Informer(),
	}
	for _, each := range []cache.SharedIndexInformer{seen.typed, seen.dynamic, seen.metadata} {
		go each.Run(ctx.Done())
	}
	waiting, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	if !cache.WaitForCacheSync(waiting.Done(), seen.typed.HasSynced, seen.dynamic.HasSynced, seen.metadata.HasSynced) {
		return nil, errors.New("the informers have not synced")
	}
	fmt.Println("typed, dynamic and metadata informers synced")
	return seen, nil
}

func typedWrites(ctx context.Context, client kubernetes.Interface, seen *informersOf) error {
	api := client.CoreV1().ConfigMaps(namespace)
	object := &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Name: "typed"}, Data: map[string]string{"a": "1"}}
	if _, err := api.Create(ctx, object, metav1.CreateOptions{}); err != nil {
		return err
	}
	wanted := corev1apply.ConfigMap("typed", namespace).WithData(map[string]string{"b": "2"})
	applied, err := api.Apply(ctx, wanted, metav1.ApplyOptions{FieldManager: "clients"})
	if err != nil {
		return err
	}
	if applied.Data["a"] != "1" || applied.Data["b"] != "2" {
		return fmt.Errorf("applied, but the data are %v", applied.Data)
	}
	inCache := func(found any) bool {
		object, ok := found.(*corev1.ConfigMap)
		return ok && object.Data["b"] == "2"
	}
	if err := eventually(ctx, "the typed informer shows it", inStore(seen.typed, "typed", inCache)); err != nil {
		return err
	}
	version := func(found any) bool {
		object, ok := found.(metav1.Object)
		return ok && object.GetResourceVersion() == applied.ResourceVersion
	}
	if err := eventually(ctx, "the metadata informer shows it", inStore(seen.metadata, "typed", version)); err != nil {
		return err
	}
	if err := api.Delete(ctx, "typed", metav1.DeleteOptions{}); err != nil {
		return err
	}
	return eventually(ctx, "both informers forget it", func() bool {
		return isAbsent(seen.typed, "typed") && isAbsent(seen.metadata, "typed")
	})
}

func dynamicWrites(ctx context.Context, client dynamic.Interface, seen *informersOf) error {
	api := client.Resource(gadgets).Namespace(namespace)
	if _, err := api.Apply(ctx, "dynamic", gadget(1), metav1.ApplyOptions{FieldManager: "clients"}); err != nil {
		return err
	}
	if _, err := api.Apply(ctx, "dynamic", gadget(2), metav1.ApplyOptions{FieldManager: "clients"}); err != nil {
		return err
	}
	resized := func(found any) bool {
		object, ok := found.(*unstructured.Unstructured)
		if !ok {
			return false
		}
		size, _, err := unstructured.NestedInt64(object.Object, "spec", "size")
		return err == nil && size == 2
	}
	if err := eventually(ctx, "the dynamic informer shows it", inStore(seen.dynamic, "dynamic", resized)); err != nil {
		return err
	}
	list, err := api.List(ctx, metav1.ListOptions{})
	if err != nil {
		return err
	}
	if len(list.Items) != 1 {
		return fmt.Errorf("listed %d gadgets instead of 1", len(list.Items))
	}
	if err := api.Delete(ctx, "dynamic", metav1.DeleteOptions{}); err != nil {
		return err
	}
	return eventually(ctx, "the dynamic informer forgets it", func() bool { return isAbsent(seen.dynamic, "dynamic") })
}

func gadget(size int64) *unstructured.Unstructured {
	return &unstructured.Unstructured{Object: map[string]any{
		"apiVersion": "clients.test/v1",
		"kind":       "Gadget",
		"metadata":   map[string]any{"name": "dynamic", "namespace": namespace},
		"spec":       map[string]any{"size": size},
	}}
}

func defineGadgets(ctx context.Context, client dynamic.Interface) error {
	size := map[string]any{"type": "object", "properties": map[string]any{"size": map[string]any{"type": "integer"}}}
	definition := &unstructured.Unstructured{Object: map[string]any{
		"apiVersion": "apiextensions.k8s.io/v1",
		"kind":       "CustomResourceDefinition",
		"metadata":   map[string]any{"name": "gadgets.clients.test"},
		"spec": map[string]any{
			"group": "clients.test",
			"scope": "Namespaced",
			"names": map[string]any{"plural": "gadgets", "singular": "gadget", "kind": "Gadget", "listKind": "GadgetList"},
			"versions": []any{map[string]any{
				"name":    "v1",
				"served":  true,
				"storage": true,
				"schema": map[string]any{"openAPIV3Schema": map[string]any{
					"type":       "object",
					"properties": map[string]any{"spec": size},
				}},
			}},
		},
	}}
	if _, err := client.Resource(definitions).Create(ctx, definition, metav1.CreateOptions{}); err != nil {
		return err
	}
	return eventually(ctx, "gadgets are served", func() bool {
		_, err := client.Resource(gadgets).Namespace(namespace).List(ctx, metav1.ListOptions{})
		return err == nil
	})
}

func inStore(informer cache.SharedIndexInformer, name string, as func(any) bool) func() bool {
	return func() bool {
		found, exists, err := informer.GetStore().GetByKey(namespace + "/" + name)
		return err == nil && exists && as(found)
	}
}

func isAbsent(informer cache.SharedIndexInformer, name string) bool {
	_, exists, err := informer.GetStore().GetByKey(namespace + "/" + name)
	return err == nil && !exists
}

func eventually(ctx context.Context, what string, holds func() bool) error {
	waiting, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	tick := time.NewTicker(20 * time.Millisecond)
	defer tick.Stop()
	for !holds() {
		select {
		case <-waiting.Done():
			return fmt.Errorf("never: %s", what)
		case <-tick.C:
		}
	}
	fmt.Println(what)
	return nil
}
